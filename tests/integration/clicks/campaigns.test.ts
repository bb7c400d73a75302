import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { overheadBytes, storedBytes } from '../../../fixtures/stored-bytes.ts';
import { listCampaigns } from '../../../lib/clicks/campaigns.ts';
import { failed, patientMs, useAggregator } from '../../helpers/aggregator.ts';
import { day, makeClick } from '../../helpers/clicks.ts';

const run = useAggregator();
const readCampaigns = (code: string) => run.table.get(`LINK#${code}`, `UTM#${day}`);
const makeCampaigns = (count: number, code: string, start = 0) =>
  Array.from({ length: count }, (_, index) => {
    const name = `${index + start}`;
    return makeClick(`${code}-${name}`, code, { utm_campaign: name.padEnd(10_000, 'é') });
  });

test('a click counts the parameters that it has, once, and one without them no more than its day', async () => {
  const code = await run.createLink();
  const sent = { utm_source: ' News\u0000Letter ', utm_medium: 7, utm_campaign: 'a=B' };
  const click = makeClick('utm-1', code, sent);

  await run.deliver([makeClick('utm-0', code), makeClick('utm-2', code, { utm_source: '' })]);
  expect(await readCampaigns(code)).toBeUndefined();
  await run.deliver([click]);
  await run.deliver([click, makeClick('utm-3', code, { utm_source: 'news letter' })]);

  expect(await run.readLink(code)).toEqual({ clicks: 4, days: { [day]: 4 } });
  expect(await readCampaigns(code)).toMatchObject({
    ...{ 's=news letter': 2, 'c=a=b': 1, S: new Set(['s=news letter']), C: new Set(['c=a=b']) },
  });
});

test(
  'ten aggregators that meet 1,000 new values at once keep 20, and count each click once',
  async () => {
    const code = await run.createLink();
    const known = Array.from({ length: 10 }, (_, index) =>
      makeClick(`${code}-known-${index}`, code, { utm_campaign: 'known', utm_source: 'mail' }),
    );
    await run.deliver(known.slice(0, 1));
    const batches = known.map((click, index) => [...makeCampaigns(100, code, index * 100), click]);

    const answers = await Promise.all(batches.map((bodies) => run.deliver(bodies, {}, patientMs)));

    expect(answers).toEqual(batches.map(() => failed()));
    expect(await run.readLink(code)).toEqual({ clicks: 1_010, days: { [day]: 1_010 } });
    const item = (await readCampaigns(code)) ?? {};
    const { utm_campaign = [], utm_source } = listCampaigns([item]);
    expect(utm_campaign.reduce((sum, { count }) => sum + count, 0)).toBe(1_010);
    expect(utm_campaign).toHaveLength(21);
    expect(utm_campaign).toContainEqual({ name: 'known', count: 10 });
    expect(utm_source).toEqual([{ name: 'mail', count: 10 }]);
    expect(storedBytes(marshall(item)) - overheadBytes).toBeLessThan(2_500);
    expect(run.failures()).toEqual([]);
  },
  patientMs,
);

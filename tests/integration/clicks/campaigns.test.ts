import { setTimeout } from 'node:timers/promises';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { listCampaigns, maxValues } from '../../../lib/clicks/campaign-counters.ts';
import { failed, patientMs, useAggregator } from '../../helpers/aggregator.ts';
import { day, makeClick, makeClicks } from '../../helpers/clicks.ts';
import { cancellation, type Fault, serviceError, times } from '../../helpers/faults.ts';

type Item = Record<string, AttributeValue>;

const run = useAggregator();
const listItems = async (code: string) => {
  const items = await run.table.list(`LINK#${code}`);
  return items.filter(({ SK }) => SK.startsWith('UTM#'));
};
const readCampaigns = async (code: string) => listCampaigns(await listItems(code));
const sum = (counts: { count: number }[] = []) => counts.reduce((all, { count }) => all + count, 0);

/** Clicks of which each brings a value of its own, which is longer than it's stored. */
const makeCampaigns = (count: number, code: string, start = 0, parameter = 'utm_campaign') =>
  Array.from({ length: count }, (_, index) => {
    const name = `${index + start}`;
    return makeClick(`${code}-${parameter}-${name}`, code, {
      [parameter]: name.padEnd(10_000, 'é'),
    });
  });

test('a click counts the parameters that it has, once, and one without them no more than its day', async () => {
  const code = await run.createLink();
  const sent = { utm_source: ' News\u0000Letter ', utm_medium: 7, utm_campaign: 'a=B' };
  const click = makeClick('utm-1', code, sent);

  await run.deliver([makeClick('utm-0', code), makeClick('utm-2', code, { utm_source: '' })]);
  expect(await listItems(code)).toEqual([]);
  await run.deliver([click]);
  await run.deliver([click, makeClick('utm-3', code, { utm_source: 'news letter' })]);

  expect(await run.readLink(code)).toEqual({ clicks: 4, days: { [day]: 4 } });
  expect(await run.table.get(`LINK#${code}`, `STAT#${day}`)).toMatchObject({ utm: 2 });
  const keys = { PK: `LINK#${code}`, SK: `UTM#${day}` };
  expect(await listItems(code)).toEqual([
    { ...keys, s0: 2, mn: 2, c0: 1, cn: 1, ap: 2 },
    { ...keys, SK: `UTM#${day}#utm_campaign`, v0: 'a=b' },
    { ...keys, SK: `UTM#${day}#utm_source`, v0: 'news letter' },
  ]);
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
    const { utm_campaign, utm_source } = await readCampaigns(code);
    expect(sum(utm_campaign)).toBe(1_010);
    expect(utm_campaign).toHaveLength(maxValues + 1);
    expect(new Set(utm_campaign?.map(({ name }) => name))).toHaveProperty('size', maxValues + 1);
    expect(utm_campaign).toContainEqual(expect.objectContaining({ name: 'known', count: 10 }));
    expect(utm_source).toMatchObject([{ name: 'mail', count: 10 }]);
    expect(run.failures()).toEqual([]);
  },
  patientMs,
);

test('each parameter has room for its own 20 values, and the same value may be in all of them', async () => {
  const code = await run.createLink();
  await run.deliver(makeCampaigns(maxValues, code, 0, 'utm_source'));

  const same = { utm_source: 'x', utm_medium: 'x', utm_campaign: 'x' };
  await run.deliver([makeClick(`${code}-x`, code, same)]);

  const { utm_source, utm_medium, utm_campaign } = await readCampaigns(code);
  expect(utm_source).toHaveLength(maxValues + 1);
  expect(utm_source).toContainEqual(expect.objectContaining({ name: 'other', count: 1 }));
  expect(utm_medium).toMatchObject([{ name: 'x', count: 1 }]);
  expect(utm_campaign).toMatchObject([{ name: 'x', count: 1 }]);
});

test("strangers' values add no request to others' clicks, and nothing is rejected on a full day", async () => {
  const code = await run.createLink();
  const environment = run.openEnvironment();
  const other = run.openEnvironment();
  let clicks = 0;
  /** The requests of a click alone. */
  const requestsOf = async ({ meter, deliver }: typeof environment, utm_campaign: string) => {
    const before = meter.requests;
    clicks += 1;
    expect(await deliver([makeClick(`${code}-${clicks}`, code, { utm_campaign })])).toEqual(
      failed(),
    );
    return meter.requests - before;
  };

  // A read, the value, and the click itself.
  expect(await requestsOf(environment, 'honest')).toBe(3);
  expect(await requestsOf(environment, 'honest')).toBe(1);
  for (let value = 1; value < maxValues; value += 1) await requestsOf(other, `stranger-${value}`);
  expect(await requestsOf(environment, 'honest')).toBe(1);
  // This environment still believes that there's room.
  await requestsOf(environment, 'stranger-20');
  expect(environment.meter.cancelled).toBe(1);
  expect(await requestsOf(environment, 'stranger-21')).toBe(1);
  expect(await requestsOf(environment, 'stranger-19')).toBe(1);
  expect(await requestsOf(run.openEnvironment(), 'stranger-22')).toBe(2);

  expect(environment.meter.cancelled).toBe(1);
  expect(other.meter.cancelled).toBe(0);
  const { utm_campaign } = await readCampaigns(code);
  expect(utm_campaign).toContainEqual(expect.objectContaining({ name: 'honest', count: 3 }));
  expect(utm_campaign).toContainEqual(expect.objectContaining({ name: 'stranger-19', count: 2 }));
  expect(utm_campaign).toContainEqual(expect.objectContaining({ name: 'other', count: 3 }));
});

test('a click that cannot be counted leaves no value, if its link is unknown or was purged', async () => {
  const at = '2026-05-26T10:00:00.000Z';
  const purged = { PK: 'LINK#purged', SK: 'META', purgedAt: at, since: '9999' };
  await run.table.put(purged);
  const campaign = { utm_source: 'news' };
  const bodies = [makeClick('1', 'nowhere', campaign), makeClick('2', 'purged', campaign)];

  expect(await run.deliver(bodies)).toEqual(failed(0, 1));

  expect(run.failures()).toMatchObject([{ reason: 'unknown-link' }, { reason: 'deleted-link' }]);
  expect(await run.table.list('LINK#nowhere')).toEqual([]);
  expect(await run.table.list('LINK#purged')).toEqual([purged]);
});

test("a value that can't be stored fails its day's clicks, which count when they come back", async () => {
  const code = await run.createLink();
  const other = await run.createLink();
  const bodies = [
    makeClick(`${code}-1`, code, { utm_source: 'a' }),
    makeClick(`${code}-2`, code),
    makeClick(`${other}-1`, other, { utm_source: 'a' }),
  ];
  const fault: Fault = {
    before: ({ TransactItems = [] }) => {
      const keys = TransactItems.map(({ Update }) => Update?.Key);
      const isValue = ({ PK, SK }: Item) => PK?.S === `LINK#${code}` && SK?.S?.includes('#utm_');
      const isAffected = keys.some((key) => key && isValue(key));
      return isAffected ? serviceError('ValidationException', 400) : undefined;
    },
  };

  expect(await run.deliver(bodies, fault)).toEqual(failed(0));
  expect(await run.deliver(bodies)).toEqual(failed());

  expect(await run.readLink(code)).toMatchObject({ clicks: 2 });
  expect(await readCampaigns(code)).toMatchObject({ utm_source: [{ name: 'a', count: 1 }] });
  expect(await readCampaigns(other)).toMatchObject({ utm_source: [{ name: 'a', count: 1 }] });
});

test('a conflict, and an answer that got lost, delay a new value and give it one number', async () => {
  const code = await run.createLink();
  const isConflict = times(1);
  const isLost = times(1);
  const fault: Fault = {
    before: (input) =>
      isConflict() ? cancellation(input, { Code: 'TransactionConflict' }) : undefined,
    after: () => (isLost() ? serviceError('InternalServerError', 500) : undefined),
  };

  expect(await run.deliver(makeClicks(2, code, { utm_source: 'a' }), fault)).toEqual(failed());

  const items = await listItems(code);
  expect(items).toMatchObject([{ s0: 2 }, { v0: 'a' }]);
  expect(items[1]).not.toHaveProperty('v1');
});

test(
  'of the links of a batch, at most 100 are numbered at a time',
  async () => {
    const codes = await Promise.all(Array.from({ length: 150 }, () => run.createLink()));
    const limit = 100;
    const limitReached = Promise.withResolvers<void>();
    let inFlight = 0;
    let most = 0;
    // The engine never sees them, so the test needs no time of a busy machine.
    const holdUntilLimit: Fault = {
      before: async () => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        if (inFlight === limit) setTimeout(100).then(limitReached.resolve);
        await limitReached.promise;
        inFlight -= 1;
        throw serviceError('AccessDeniedException', 400);
      },
    };

    const bodies = codes.map((code) => makeClick(`${code}-1`, code, { utm_source: 'news' }));
    await run.deliver(bodies, holdUntilLimit, patientMs);

    expect(most).toBe(limit);
  },
  patientMs,
);

import { expect, test } from 'vitest';
import { breakdowns } from '../../../lib/clicks/breakdowns.ts';
import { failed, useAggregator } from '../../helpers/aggregator.ts';
import { day, makeClick } from '../../helpers/clicks.ts';

const run = useAggregator();

/** The count and the breakdown values of a link's day. */
async function readDay(code: string) {
  const item = await run.stack.get(`LINK#${code}`, `STAT#${day}`);
  const { PK: _PK, SK: _SK, count = 0, ...numbers } = item ?? {};
  const sum = Object.values(numbers).reduce((total, number) => total + number, 0);
  expect(sum).toBe(count * breakdowns.length);
  return { count, ...numbers };
}

test('each click adds one to each breakdown of its day', async () => {
  const code = await run.stack.createLink();

  await run.stack.deliver([
    makeClick(`${code}-1`, code, {
      ...{ visitor: 'human', device: 'mobile', referrer: 'x', country: 'BR' },
    }),
    makeClick(`${code}-2`, code, { visitor: 'bot', device: 'mobile', referrer: 'direct' }),
    makeClick(`${code}-3`, code, { visitor: 'human', at: '2026-05-26T23:59:59.999Z' }),
  ]);

  const numbers = {
    count: 3,
    vh: 2,
    vb: 1,
    dm: 2,
    du: 1,
    r14: 1,
    rd: 1,
    ru: 1,
    h10: 2,
    h23: 1,
    c4: 1,
    cu: 2,
  };
  expect(await readDay(code)).toMatchObject(numbers);
});

test('each click of a known visitor also adds one to the people or bots of its link', async () => {
  const code = await run.stack.createLink();
  const [person, bot] = [{ visitor: 'human' }, { visitor: 'bot' }];
  const clicks = [person, person, bot, {}, { ...person, at: '2026-05-25T10:00:00Z' }];
  const messages = clicks.map((click, index) => makeClick(`${code}-${index}`, code, click));

  await run.stack.deliver([...messages, ...messages.slice(0, 2)]);
  await run.stack.deliver(messages);

  const link = await run.stack.get(`LINK#${code}`, 'META');
  expect(link).toMatchObject({ clicks: 5, vh: 3, vb: 1 });
});

test.each([
  ['5,000 referrers', { referrer: Array.from({ length: 5_000 }, (_, n) => `name-${n}`) }, 'ro'],
  ['a referrer of 60 KB', { referrer: 'x'.repeat(60_000) }, 'ro'],
  ['a visitor with a prototype', JSON.parse('{"visitor":{"__proto__":{"bot":1}}}'), 'vo'],
  ["a visitor with an attribute's name", { visitor: 'count' }, 'vo'],
  ['an unknown breakdown', { h99: 1, count: 5, weather: 'sun', device: 'tablet' }, 'dt'],
])('%s adds no attribute', async (_, values, attribute) => {
  const code = await run.stack.createLink();

  expect(await run.stack.deliver([makeClick(`${code}-1`, code, values)])).toEqual(failed());

  const { count, ...numbers } = await readDay(code);
  expect(count).toBe(1);
  expect(numbers).toMatchObject({ [attribute]: 1, h10: 1 });
  expect(Object.keys(numbers)).toHaveLength(breakdowns.length);
});

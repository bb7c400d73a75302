import { expect, test } from 'vitest';
import { breakdowns, listBreakdowns } from '../../../lib/clicks/breakdowns.ts';
import {
  dividedBreakdowns,
  divideValue,
  findUndivided,
  hasKnownValues,
} from '../../../lib/clicks/undivided.ts';

test('the breakdowns in which bots are told apart are those with a value for them', () => {
  const withBots = breakdowns.flatMap(({ name, attributes }) => ('bot' in attributes ? name : []));

  expect(withBots).toEqual(['visitor', ...dividedBreakdowns]);
});

/** Ten people, mostly on phones. */
const people = { vh: 10, dm: 7, dd: 3 };

test.each([
  ['no bots', people, { bots: 0, unknown: 0 }],
  ['bots that are told apart', { ...people, vb: 2, db: 2 }, { bots: 0, unknown: 0 }],
  ['bots from before that', { ...people, vb: 2, dm: 9 }, { bots: 2, unknown: 0 }],
  // An environment of either version counted one of them.
  ['bots counted by two versions', { ...people, vb: 2, db: 1, do: 1 }, { bots: 1, unknown: 0 }],
  ['unknown visitors', { ...people, vo: 1, vu: 1, dm: 9 }, { bots: 0, unknown: 2 }],
  ['clicks from before breakdowns', { ...people }, { bots: 0, unknown: 3 }, 13],
])('a day with %s says how many of its clicks are undivided', (_, numbers, expected, count = 0) => {
  const { vb = 0, vo = 0, vu = 0 }: Record<string, number> = numbers;
  const listed = listBreakdowns(numbers, count || 10 + vb + vo + vu);

  expect(findUndivided(listed)).toEqual(expected);
});

test.each([
  ['device', 'mobile', { people: 7, bots: 0 }],
  ['device', 'bot', { people: 0, bots: 2 }],
  ['visitor', 'human', { people: 10, bots: 0 }],
  ['network', 'hosting', undefined],
])('whose clicks the %s %s has is known as far as days count it', (breakdown, name, expected) => {
  const listed = listBreakdowns({ ...people, vb: 2, db: 2, nh: 1 }, 12);
  const value = listed[breakdown]?.find((each) => each.name === name) ?? expect.fail();

  expect(divideValue(listed, breakdown, value)).toEqual(expected);
});

test.each([
  ['some bots are undivided', { ...people, vb: 2, db: 1, do: 1 }],
  ['a visitor is unknown', { ...people, vu: 2, dt: 2 }],
])('if %s, a device may have clicks by people or by bots', (_, numbers) => {
  const listed = listBreakdowns(numbers, 12);

  expect(divideValue(listed, 'device', { name: 'mobile', count: 7 })).toBeUndefined();
});

test.each([
  ['country', { cw: 2, cu: 10 }, false],
  ['country', { cw: 2, c2: 1, cu: 9 }, true],
  ['device', { db: 2, dm: 10 }, true],
  ['visitor', { vb: 12 }, true],
  ['network', { nu: 12 }, false],
])(
  'the breakdown %s of %j says something beyond bots and the unknown: %s',
  (name, numbers, expected) => {
    expect(hasKnownValues(listBreakdowns(numbers, 12), name)).toBe(expected);
  },
);

import { expect, test } from 'vitest';
import { findUneven, listBreakdowns } from '../../../lib/clicks/breakdowns.ts';

/** The first generation. Adding a breakdown must not change these results. */
const first = ['visitor', 'device', 'referrer', 'hour'];

/** Five clicks: three people and two bots, at two hours. */
const five = { vh: 3, vb: 2, dm: 4, do: 1, rd: 1, r1: 4, h09: 1, h23: 4 };
/** The same clicks, two of them from before the second generation. */
const withCountry = { ...five, c2: 1, co: 2 };

/** One of the bots was counted before it had a value of its own in the other breakdowns. */
const mixed = { vh: 3, vb: 2, dm: 3, do: 1, db: 1, rd: 1, r1: 3, rb: 1, h09: 5, c2: 4, cw: 1 };

test.each([
  {
    title: 'sorted by frequency',
    stored: { ...five, count: 5 },
    breakdown: 'visitor',
    expected: ['human 3', 'bot 2'],
  },
  {
    title: 'hours by time',
    stored: { ...five, count: 5 },
    breakdown: 'hour',
    expected: ['09 1', '23 4'],
  },
  {
    title: 'and later clicks as unknown',
    stored: { ...five, vu: 1, count: 8 },
    breakdown: 'hour',
    expected: ['09 1', '23 4', 'unknown 3'],
  },
  {
    title: 'with clicks from before a breakdown existed',
    stored: { ...withCountry, cu: 1, count: 6 },
    breakdown: 'country',
    expected: ['unknown 3', 'other 2', 'US 1'],
  },
] as const)('the values of a breakdown are listed, $title', ({ stored, breakdown, expected }) => {
  const { count, ...numbers } = stored;
  const { [breakdown]: listed = [] } = listBreakdowns(numbers, count);

  expect(listed.map((value) => `${value.name} ${value.count}`)).toEqual(expected);
});

const none = { name: '', sum: 0 };

test.each([
  ['if a breakdown is one click short', { ...five, vb: 1 }, [{ name: 'visitor', sum: 4 }]],
  [
    'if a breakdown lacks a click that the others have',
    ...[{ ...five, dm: 3 }, [{ name: 'device', sum: 4 }], 7],
  ] as const,
  ['if it has one breakdown', { h09: 5 }, first.slice(0, 3).map((name) => ({ ...none, name }))],
  ['if a later generation has more clicks', { ...five, c2: 6 }, [{ name: 'country', sum: 6 }]],
  ['unless each breakdown has every click', five, []],
  ['unless all of it is from before there were breakdowns', {}, []],
  ['unless some of it is from before there were breakdowns', five, [], 7],
  ['unless some of it is from before the second generation', withCountry, []],
  ['unless only some of its bots are told apart', mixed, []],
  ['if a bot counts beside its device', { ...mixed, db: 2 }, [{ name: 'device', sum: 6 }]],
])('a day does not add up %s', (_, numbers, uneven, count = 5) => {
  const known = [...first, 'country'];

  expect(findUneven(numbers, count).filter(({ name }) => known.includes(name))).toEqual(uneven);
});

import { describe, expect, test } from 'vitest';
import { findUneven, listBreakdowns } from '../../../lib/clicks/breakdown-sums.ts';

/** The first generation. Adding a breakdown must not change these results. */
const first = ['visitor', 'device', 'referrer', 'hour'];

/** Five clicks: three people and two bots, at two hours. */
const five = { vh: 3, vb: 2, dm: 4, do: 1, rd: 1, r01: 4, h09: 1, h23: 4 };
/** The same clicks, two of them from before the second generation. */
const withCountry = { ...five, c2: 1, co: 2 };

describe('the values of a breakdown', () => {
  test('are sorted by frequency, and hours by time', () => {
    expect(listBreakdowns(five, 5)).toMatchObject({
      visitor: [
        { name: 'human', count: 3 },
        { name: 'bot', count: 2 },
      ],
      device: [
        { name: 'mobile', count: 4 },
        { name: 'other', count: 1 },
      ],
      referrer: [
        { name: 'google', count: 4 },
        { name: 'direct', count: 1 },
      ],
      hour: [
        { name: '09', count: 1 },
        { name: '23', count: 4 },
      ],
    });
  });

  test('include clicks from before a breakdown existed as unknown', () => {
    expect(listBreakdowns({ ...withCountry, cu: 1 }, 6)).toMatchObject({
      country: [
        { name: 'unknown', count: 3 },
        { name: 'other', count: 2 },
        { name: 'US', count: 1 },
      ],
    });
  });

  test('include clicks from before there were breakdowns as unknown', () => {
    const { visitor, hour } = listBreakdowns({ ...five, vu: 1 }, 8);

    expect(visitor).toEqual([
      { name: 'human', count: 3 },
      { name: 'unknown', count: 3 },
      { name: 'bot', count: 2 },
    ]);
    expect(hour).toEqual([
      { name: '09', count: 1 },
      { name: '23', count: 4 },
      { name: 'unknown', count: 3 },
    ]);
  });
});

test.each([
  ['if a breakdown is one click short', { ...five, vb: 1 }, [{ name: 'visitor', sum: 4 }]],
  ['if a breakdown has an extra click', { ...five, h00: 1 }, [{ name: 'hour', sum: 6 }]],
  [
    'if every breakdown has an extra click',
    { vh: 6, dm: 6, rd: 6, h09: 6 },
    first.map((name) => ({ name, sum: 6 })),
  ],
  [
    'if a breakdown lacks a click that the others have',
    { ...five, dm: 3 },
    [{ name: 'device', sum: 4 }],
    7,
  ],
  ['if it has only one breakdown', { h09: 5 }, ['visitor', 'device', 'referrer'].map(none)],
  [
    'if the second generation has more clicks than the first',
    { ...five, c2: 6 },
    [{ name: 'country', sum: 6 }],
  ],
])('a day does not add up %s', (_, numbers, uneven, count = 5) => {
  const found = findUneven(numbers, count).filter(({ name }) =>
    [...first, 'country'].includes(name),
  );

  expect(found).toEqual(uneven);
});

test.each([
  ['each breakdown has every click', five, 5],
  ['all of it is from before there were breakdowns', {}, 5],
  ['some of it is from before there were breakdowns', five, 7],
  ['some of it is from before the second generation', withCountry, 5],
])('a day adds up if %s', (_, numbers, count) => {
  expect(findUneven(numbers, count)).toEqual([]);
});

function none(name: string) {
  return { name, sum: 0 };
}

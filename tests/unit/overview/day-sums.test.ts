import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '../../../lib/days.ts';
import { mergeDays, packDays, sumDays, unpackDays } from '../../../lib/overview/day-sums.ts';

const countOf = fc.nat({ max: 1_555_199_999 });

test('packed days are unpacked as they were, whatever their gaps and numbers', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 900 }), countOf, countOf, countOf));
  fc.assert(
    fc.property(steps, (drawn) => {
      let date = '2026-01-01';
      const days = drawn.map(([gap, count, people, bots]) => {
        date = addDays(date, gap);
        return { date, count, people, bots };
      });
      expect(unpackDays(packDays(days))).toEqual(days);
    }),
  );
});

const spring = [
  { date: '2026-11-01', count: 5, people: 3, bots: 1 },
  { date: '2026-11-03', count: 2, people: 2, bots: 0 },
];
const autumn = [
  { date: '2026-10-31', count: 9, people: 9, bots: 0 },
  { date: '2026-11-01', count: 4, people: 1, bots: 3 },
  { date: '2026-11-02', count: 1, people: 0, bots: 1 },
];
const range = { from: '2026-11-01', to: '2026-11-02' };

test('the days of links are merged and summed within a range, with its first and its last day', () => {
  expect(mergeDays([spring, autumn], range)).toEqual([
    { date: '2026-11-01', count: 9, people: 4, bots: 4 },
    { date: '2026-11-02', count: 1, people: 0, bots: 1 },
  ]);
  expect(sumDays(autumn, range)).toEqual({ clicks: 5, people: 1, bots: 4 });
  expect(sumDays([], range)).toEqual({ clicks: 0, people: 0, bots: 0 });
});

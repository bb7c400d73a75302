import { afterEach, beforeEach, expect, test } from 'vitest';
import { Ledger } from '../../../cli/verify/ledger.ts';

const firstDay = '2026-11-01';
const day = '2026-11-20';
let ledger: Ledger;

beforeEach(() => {
  ledger = new Ledger();
});

afterEach(() => ledger.close());

/** What a pass finds of one link's day: its count, and how many markers. */
const found = (count: number, markers: number) => ({
  totals: [],
  days: [{ code: 'docs', day, count }],
  markers: Array.from({ length: markers }, () => ({ code: 'docs', day })),
});

const passes: [string, [number, number], [number, number], number][] = [
  ['clicks that came in between the readings of the first pass', [5, 6], [6, 6], 0],
  ['clicks that came in during both passes', [5, 8], [9, 11], 0],
  ['a count too high', [6, 5], [6, 5], 1],
  ['a count too low', [4, 5], [4, 5], 1],
  ['a count too high, while clicks come in', [9, 5], [10, 6], 1],
  ['a count too low, while clicks come in', [4, 9], [6, 11], 1],
  ['a count that was even at first', [5, 5], [7, 5], 0],
];

test.each(passes)('%s', (_, first, second, drifts) => {
  ledger.addPage(found(...first), firstDay);
  ledger.addSecondPage(found(...second));

  expect([...ledger.driftedDays()]).toHaveLength(drifts);
});

test('adds up what comes in several pages, in any order', () => {
  ledger.addPage({ totals: [], days: [], markers: [{ code: 'docs', day }] }, firstDay);
  ledger.addPage(found(3, 1), firstDay);
  ledger.addPage(
    {
      totals: [{ code: 'docs', clicks: 7 }],
      days: [{ code: 'docs', day: '2024-02-29', count: 4 }],
      markers: [
        { code: 'docs', day },
        { code: 'docs', day: '2024-02-29' },
      ],
    },
    firstDay,
  );

  expect(ledger.sumUp()).toEqual({ links: 1, clicks: 7, days: 1, markers: 3 });
  expect([...ledger.unevenTotals()]).toEqual([]);
  expect(ledger.hasUnevenDays()).toBe(false);
});

test('finds a total that is not the sum of the days, and days without a link', () => {
  ledger.addPage({ ...found(3, 3), totals: [{ code: 'lone', clicks: 2 }] }, firstDay);

  expect([...ledger.unevenTotals()]).toEqual([
    { code: 'docs', clicks: null, sum: 3 },
    { code: 'lone', clicks: 2, sum: 0 },
  ]);
});

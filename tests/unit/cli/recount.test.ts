import { afterEach, beforeEach, expect, test } from 'vitest';
import { Recount } from '../../../cli/verify/recount.ts';

const firstDay = '2026-11-01';
const day = '2026-11-20';
let recount: Recount;

beforeEach(() => {
  recount = new Recount();
});

afterEach(() => recount.close());

/** A scan's figures for one link's day: its count and its markers. */
const found = (count: number, markers: number) => ({
  totals: [],
  days: [{ code: 'docs', day, count }],
  markers: Array.from({ length: markers }, () => ({ code: 'docs', day })),
});

const scans: [string, [number, number], [number, number], number][] = [
  ['clicks that arrived during the first scan', [5, 6], [6, 6], 0],
  ['clicks that arrived during both scans', [5, 8], [9, 11], 0],
  ['a count too high', [6, 5], [6, 5], 1],
  ['a count too low', [4, 5], [4, 5], 1],
  ['a count too high, while clicks arrive', [9, 5], [10, 6], 1],
  ['a count too low, while clicks arrive', [4, 9], [6, 11], 1],
  ['a count that was even in the first scan', [5, 5], [7, 5], 0],
];

test.each(scans)('drift after two scans: %s', (_, first, second, drifts) => {
  recount.addPage(found(...first), firstDay);
  recount.addSecondPage(found(...second));

  expect([...recount.driftedDays()]).toHaveLength(drifts);
});

test('adds up pages in any order', () => {
  recount.addPage({ totals: [], days: [], markers: [{ code: 'docs', day }] }, firstDay);
  recount.addPage(found(3, 1), firstDay);
  recount.addPage(
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

  expect(recount.sumUp()).toEqual({ links: 1, clicks: 7, days: 1, markers: 3 });
  expect([...recount.unevenTotals()]).toEqual([]);
  expect(recount.hasUnevenDays()).toBe(false);
});

test('finds a total that is not the sum of its days, and days without a link', () => {
  recount.addPage({ ...found(3, 3), totals: [{ code: 'lone', clicks: 2 }] }, firstDay);

  expect([...recount.unevenTotals()]).toEqual([
    { code: 'docs', clicks: null, sum: 3 },
    { code: 'lone', clicks: 2, sum: 0 },
  ]);
});

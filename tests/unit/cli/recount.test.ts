import { afterEach, expect, test } from 'vitest';
import { Recount, type Scope } from '../../../cli/verify/recount.ts';
import type { ScannedCounts } from '../../../cli/verify/scanned-counts.ts';

const since = '2026-11-01';
const longAgo = '2024-02-29';
const docs = { code: 'docs', day: '2026-11-20', hash: 'd0c5d0c5' };
/** Two more days with the hash of {@link docs}. */
const blog = { ...docs, code: 'blog' };
const oldDocs = { ...docs, day: longAgo };
const opened: Recount[] = [];

afterEach(() => {
  for (const recount of opened.splice(0)) recount.close();
});

const open = (scope: Partial<Scope> = {}) => {
  const recount = new Recount({ since, ...scope });
  opened.push(recount);
  return recount;
};

const scanned = (some: Partial<ScannedCounts>): ScannedCounts => ({
  ...{ totals: [], days: [], uneven: [], markers: [], slots: new Map() },
  ...some,
});

/** One day's count, and the number of slots with its hash. */
const found = (count: number, slots: number, day = docs) =>
  scanned({
    days: [{ ...day, count, people: count, bots: 0 }],
    slots: new Map([[day.hash, slots]]),
  });

const scans: [string, [number, number], [number, number], number][] = [
  ['clicks that arrived during the first scan', [5, 6], [6, 6], 0],
  ['clicks that arrived during both scans', [5, 8], [9, 11], 0],
  ['a count too high', [6, 5], [6, 5], 1],
  ['a count too low', [4, 5], [4, 5], 1],
  ['a count too high, while clicks arrive', [9, 5], [10, 6], 1],
  ['a count too low, while clicks arrive', [4, 9], [6, 11], 1],
  ['a count that matched its slots in the first scan', [5, 5], [7, 5], 0],
];

test.each(scans)('two scans of $0 report $3 drifts', (_, first, second, drifts) => {
  const recount = open();

  recount.addFirst(found(...first));
  recount.addSecond(found(...second));

  expect([...recount.drifts()]).toHaveLength(drifts);
});

test('slots and single markers both count, in any order of answers', () => {
  const recount = open();

  recount.addFirst(scanned({ markers: [docs], slots: new Map([[docs.hash, 2]]) }));
  recount.addFirst(found(4, 1));
  recount.addFirst(
    scanned({
      totals: [{ code: 'docs', clicks: 8, people: 8, bots: 0 }],
      days: [{ code: 'docs', day: longAgo, hash: '01d01d', count: 4, people: 4, bots: 0 }],
      markers: [{ code: 'docs', day: longAgo, hash: '01d01d' }],
      slots: new Map([['01d01d', 3]]),
    }),
  );

  expect(recount.sumUp()).toEqual({ links: 1, clicks: 8, days: 1, recounted: 4, markers: 4 });
  expect([...recount.unevenTotals()]).toEqual([]);
  expect(recount.hasUnevenDays()).toBe(false);
});

test('with --code, only that link is summed up', () => {
  const recount = open({ code: 'docs' });

  recount.addFirst({ ...found(3, 3), totals: [{ code: 'docs', clicks: 3, people: 3, bots: 0 }] });
  recount.addFirst(found(2, 2, { ...blog, hash: 'b106' }));

  expect([...recount.unevenTotals()]).toEqual([]);
  expect(recount.sumUp()).toEqual({ links: 1, clicks: 3, days: 1, recounted: 3, markers: 3 });
});

const others: [string, typeof docs, Partial<Scope>][] = [
  ['an old day', oldDocs, {}],
  ['a day before --since', { ...docs, day: '2026-11-10' }, { since: '2026-11-15' }],
  ["another link's day, with --code", blog, { code: 'docs' }],
];

test.each(others)("extra slots aren't drift if %s has the same hash", (_, other, scope) => {
  const recount = open(scope);

  recount.addFirst(found(3, 5));
  recount.addFirst(scanned({ days: [{ ...other, count: 9, people: 9, bots: 0 }] }));

  expect(recount.hasUnevenDays()).toBe(false);
  expect(recount.sumUp()).toMatchObject({ days: 1 });
});

test.each(others)('missing slots are drift even if %s has the same hash', (_, other, scope) => {
  const recount = open(scope);
  const all = [found(3, 2), scanned({ days: [{ ...other, count: 9, people: 9, bots: 0 }] })];

  for (const some of all) recount.addFirst(some);
  for (const some of all) recount.addSecond(some);

  expect(recount.hasUnevenDays()).toBe(true);
  expect([...recount.drifts()]).toMatchObject([
    { days: [{ code: 'docs', day: docs.day }], count1: 3, markers2: 2 },
  ]);
});

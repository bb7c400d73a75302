import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Recount, type Scope } from '../../../cli/verify/recount.ts';
import type { HashedDay, ScannedCounts } from '../../../cli/verify/scanned-counts.ts';

// A commit changes all its items at once. A scan reads each item at a different instant.
const since = '2026-11-01';
const code = 'docs';
const recent: HashedDay = { code, day: '2026-11-20', hash: 'a' };

/** Recent and old days of two links, with hashes that collide. */
const linkDays: HashedDay[] = [
  recent,
  { code, day: '2026-11-21', hash: 'b' },
  { code, day: '2024-02-29', hash: 'b' },
  { code: 'blog', day: '2026-11-20', hash: 'a' },
  { code: 'blog', day: '2026-11-21', hash: 'c' },
  { code: 'blog', day: '2024-02-29', hash: 'd' },
];

interface Commit {
  at: number;
  linkDay: HashedDay;
  /** The sheet of its marker. Otherwise the marker is an item of its own. */
  sheet: number | undefined;
}

const commits: fc.Arbitrary<Commit[]> = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 16 }),
    linkDay: fc.constantFrom(...linkDays),
    sheet: fc.constantFrom(1, 2, undefined),
  }),
  { maxLength: 12 },
);
const scope = fc.constantFrom<Scope>({ since }, { since, code });

/** For each of at most 20 items, the instants at which two scans read it, one after the other. */
const reads = fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 8, max: 16 })), {
  minLength: 20,
  maxLength: 20,
});

/** The items of a table with these commits, as a scan reads them. One day's count is off by `change`. */
const listItems = (all: Commit[], only: string | undefined, change: number) => [
  ...linkDays.map((linkDay) => (done: Commit[]): Partial<ScannedCounts> => {
    const counted = done.filter((click) => click.linkDay === linkDay).length;
    const count = counted + (linkDay === recent ? change : 0);
    return { days: count === 0 ? [] : [{ ...linkDay, count, people: 0, bots: 0 }] };
  }),
  ...[1, 2].map((sheet) => (done: Commit[]): Partial<ScannedCounts> => {
    const onSheet = done.filter((click) => click.sheet === sheet);
    const byHash = Map.groupBy(onSheet, ({ linkDay }) => linkDay.hash);
    return { slots: new Map([...byHash].map(([hash, { length }]) => [hash, length])) };
  }),
  // With --code, the scan leaves out other links' markers.
  ...all
    .filter(({ sheet, linkDay }) => sheet === undefined && [linkDay.code, undefined].includes(only))
    .map((click) => (done: Commit[]): Partial<ScannedCounts> => {
      return { markers: done.includes(click) ? [click.linkDay] : [] };
    }),
];

/** Scans once or twice, as `verify` does, and returns the drifts. */
function verify(all: Commit[], instants: [number, number][], some: Scope, change = 0) {
  const recount = new Recount(some);
  const scan = (turn: 0 | 1, add: (scanned: ScannedCounts) => void) => {
    for (const [index, read] of listItems(all, some.code, change).entries()) {
      const found = read(all.filter(({ at }) => at <= (instants[index]?.[turn] ?? 0)));
      add({
        totals: [],
        days: [],
        uneven: [],
        campaigns: [],
        sketches: [],
        summed: [],
        markers: [],
        slots: new Map(),
        ...found,
      });
    }
  };
  try {
    scan(0, (scanned) => recount.addFirst(scanned));
    if (!recount.hasUnevenDays()) return [];
    scan(1, (scanned) => recount.addSecond(scanned));
    return [...recount.drifts()];
  } finally {
    recount.close();
  }
}

test('clicks that arrive during the scans never look like drift', () => {
  const looksSound = fc.property(commits, reads, scope, (all, instants, some) => {
    expect(verify(all, instants, some)).toEqual([]);
  });

  fc.assert(looksSound, { numRuns: 1_000 });
});

test('a count that is off by more than the arriving clicks is reported as drift', () => {
  const isReported = fc.property(commits, reads, fc.constantFrom(1, -1), (all, instants, sign) => {
    const arriving = all.filter(({ at, linkDay }) => at > 0 && linkDay.hash === recent.hash);

    const drifts = verify(all, instants, { since }, sign * (arriving.length + 1));

    expect(drifts.map(({ hash }) => hash)).toEqual([recent.hash]);
  });

  fc.assert(isReported, { numRuns: 1_000 });
});

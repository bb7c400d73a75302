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
const sheets = [1, 2];
const maxCommits = 12;

/** The first scan ends, and the second begins, at this instant; it begins at 0. */
const turn = 8;
const scans = { first: { min: 0, max: turn }, second: { min: turn, max: 2 * turn } };

/** A click, counted at an instant, with its marker on a sheet or in its own item. */
const commit = fc.record({
  at: fc.integer({ min: 0, max: 2 * turn }),
  linkDay: fc.constantFrom(...linkDays),
  sheet: fc.constantFrom(...sheets, undefined),
});
type Commit = typeof commit extends fc.Arbitrary<infer Value> ? Value : never;

/** Reads one item as these commits left it. */
type Read = (commits: Commit[]) => Partial<ScannedCounts>;

/** For each item, the instants at which the two scans read it. */
const maxItems = linkDays.length + sheets.length + maxCommits;
const reads = fc.array(
  fc.record({ first: fc.integer(scans.first), second: fc.integer(scans.second) }),
  { minLength: maxItems, maxLength: maxItems },
);
type Reads = typeof reads extends fc.Arbitrary<infer Value> ? Value : never;

const commits = fc.array(commit, { maxLength: maxCommits });
const scope = fc.constantFrom<Scope>({ since }, { since, code });

/** The table's items. One day's count is off by `change`. */
function listItems(all: Commit[], { code: only }: Scope, change: number): Read[] {
  const readDay =
    (linkDay: HashedDay): Read =>
    (done) => {
      const count = done.filter((click) => click.linkDay === linkDay).length;
      const changed = linkDay === recent ? count + change : count;
      return changed === 0 ? {} : { days: [{ ...linkDay, count: changed, people: 0, bots: 0 }] };
    };
  const readSheet =
    (sheet: number): Read =>
    (done) => {
      const hashes = done
        .filter((click) => click.sheet === sheet)
        .map((click) => click.linkDay.hash);
      const slots = Map.groupBy(hashes, (hash) => hash);
      return { slots: new Map([...slots].map(([hash, { length }]) => [hash, length])) };
    };
  const readMarker =
    (click: Commit): Read =>
    (done) =>
      done.includes(click) ? { markers: [click.linkDay] } : {};
  // With --code, the scan leaves out other links' markers.
  const ownItems = all.filter(
    ({ sheet, linkDay }) => sheet === undefined && (only ?? linkDay.code) === linkDay.code,
  );
  return [...linkDays.map(readDay), ...sheets.map(readSheet), ...ownItems.map(readMarker)];
}

interface Verified {
  scope: Scope;
  change?: number;
}

/** Scans once or twice, as `verify` does, and returns the drifts. */
function verify(all: Commit[], instants: Reads, { scope, change = 0 }: Verified) {
  const recount = new Recount(scope);
  const scan = (name: 'first' | 'second', add: (scanned: ScannedCounts) => void) => {
    for (const [index, read] of listItems(all, scope, change).entries()) {
      const instant = instants[index]?.[name] ?? 0;
      const some = read(all.filter(({ at }) => at <= instant));
      add({ totals: [], days: [], uneven: [], markers: [], slots: new Map(), ...some });
    }
  };
  try {
    scan('first', (scanned) => recount.addFirst(scanned));
    if (!recount.hasUnevenDays()) return [];
    scan('second', (scanned) => recount.addSecond(scanned));
    return [...recount.drifts()];
  } finally {
    recount.close();
  }
}

test('clicks that arrive during the scans never look like drift', () => {
  fc.assert(
    fc.property(commits, reads, scope, (all, instants, some) => {
      expect(verify(all, instants, { scope: some })).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

test('a count that is off by more than the arriving clicks is reported as drift', () => {
  fc.assert(
    fc.property(commits, reads, fc.constantFrom(1, -1), (all, instants, sign) => {
      const arriving = all.filter(({ at, linkDay }) => at > 0 && linkDay.hash === recent.hash);
      const change = sign * (arriving.length + 1);

      const drifts = verify(all, instants, { scope: { since }, change });

      expect(drifts.map(({ hash }) => hash)).toEqual([recent.hash]);
    }),
    { numRuns: 1_000 },
  );
});

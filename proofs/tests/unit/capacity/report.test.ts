import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { partNames } from '../../../capacity/costs.ts';
import { type Row, renderCosts, renderHeld } from '../../../capacity/report.ts';
import { readSweep, renderSweep } from '../../../capacity/sweep.ts';

/** The first part costs two dollars, and each of the eleven others a tenth. */
const dollars = partNames.map((name, index) => ({
  ...{ name, dollarsPerMillion: index === 0 ? 2 : 0.1 },
}));

const busy: Row = {
  ...{ stage: 'prod', traffic: 'busy', approach: 'click-tally', seconds: 60 },
  ...{ offeredPerSecond: 1_002.4, countedPerSecond: 1_001, holds: true },
  lagMs: { p50: 1_640, p99: 3_460, worst: 12_300 },
  depth: { max: 4_321, end: 0 },
  ...{ conflictShare: 0.163, throttledShare: 0, inFlightShare: 0, duplicateShare: 0 },
  deadLetters: 0,
  unitsPerClick: { committed: 3.5, cancelled: 1.1 },
  ...{ clicksPerBatch: 279.4, invocationMs: 150 },
  concurrency: { mean: 1.94, max: 7 },
  saturatesFirst: 'the API (50 %)',
  usage: {
    ...{ clicks: 60_000, seconds: 60, invocations: 200, invocationSeconds: 30, memoryMb: 1_024 },
    ...{ queueRequests: 12_000, writeUnits: 276_000, readUnits: 0, markerBytes: 9, logBytes: 9 },
  },
  dollars,
};
const tuning = { clickQueues: 48, batchWindowSeconds: 6 };
const behind: Row = { ...busy, tuning, holds: false, saturatesFirst: 'conflicts' };
/** Nobody counted anything. */
const stuck: Row = {
  ...{ ...behind, approach: 'stock', tuning: undefined, countedPerSecond: 0, dollars: undefined },
  ...{ lagMs: { p50: Number.NaN, p99: Number.NaN, worst: 0 }, duplicateShare: 0.05 },
};

/** The rows of a table, without its two lines of titles. */
const bodyOf = (table: string) => table.split('\n').slice(2);

test('where a stage falls behind, its lag is a lower bound, and what it counted stands for what it holds', () => {
  const rows = [busy, { ...busy, traffic: 'spike', drainSeconds: 95 }, behind, stuck];

  expect(bodyOf(renderHeld(rows))).toEqual([
    '| prod | busy | click-tally | 1,002 | all | 0 % | 3.5 s |  | 0 | 4.60 | 16 % | 3.10 | the API (50 %) |',
    '| prod | spike | click-tally | 1,002 | all | 0 % | 3.5 s | 95 s | 0 | 4.60 | 16 % | 3.10 | the API (50 %) |',
    '| prod | busy | click-tally, `clickQueues` 48, `batchWindowSeconds` 6 | 1,002 | 1,001 | 0 % | > 3.5 s |  | 0 | 4.60 | 16 % | 3.10 | conflicts |',
    '| prod | busy | stock Powertools | 1,002 | 0 | 5.0 % | – |  | 0 | 4.60 | 16 % | – | conflicts |',
  ]);
});

test('dollars are shown by part, and missing where no click was counted', () => {
  const [first, second] = bodyOf(renderCosts([busy, stuck]));

  expect(first).toBe('| API | 2.000 | – |');
  expect(second).toBe('| resolver | 0.100 | – |');
});

test('docs/capacity.md has the recorded sweep', () => {
  const page = readFileSync(new URL('../../../../docs/capacity.md', import.meta.url), 'utf8');

  expect(page).toContain(renderSweep(readSweep()));
});

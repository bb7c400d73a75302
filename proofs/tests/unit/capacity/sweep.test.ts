import { describe, expect, test } from 'vitest';
import { findCheapest, findCheapestHot, formatSweep, type Trial } from '../../../capacity/sweep.ts';

const tuning = {
  ...{ batchSize: 100, batchWindowSeconds: 1, maximumConcurrency: 5, clickQueues: 1 },
  memoryMb: 1_024,
};
const trial = (changes: Partial<Trial>): Trial => ({
  ...{ tuning, holds: true, lagP99Ms: 3_000, unitsPerClick: 1.25, dollarsPerMillion: 2 },
  ...changes,
});

describe('the cheapest setting', () => {
  test('is the one with the least dollars of those below the goal', () => {
    const late = trial({ dollarsPerMillion: 1, lagP99Ms: 5_000 });
    const cheap = trial({ dollarsPerMillion: 1.5, lagP99Ms: 4_999 });
    const dear = trial({ dollarsPerMillion: 3, lagP99Ms: 10 });

    expect(findCheapest([dear, late, cheap], 5)).toBe(cheap);
    expect(findCheapest([dear, late, cheap], 60)).toBe(late);
  });

  test('holds the traffic', () => {
    const behind = trial({ dollarsPerMillion: 1, holds: false });
    const dear = trial({ dollarsPerMillion: 3 });

    expect(findCheapest([behind, dear], 5)).toBe(dear);
  });

  test('is named as missing if no setting reaches the goal', () => {
    expect(() => findCheapest([trial({ lagP99Ms: 6_000 })], 5)).toThrow(
      'expected a setting with a lag below 5 s; none of them has',
    );
  });
});

test('the cheapest setting that holds the hot link keeps its lag below 10 s', () => {
  const untried = trial({ dollarsPerMillion: 1 });
  const behind = trial({ dollarsPerMillion: 1.1, holdsHot: false, hotLagP99Ms: 9_000 });
  const late = trial({ dollarsPerMillion: 1.2, holdsHot: true, hotLagP99Ms: 10_000 });
  const cheap = trial({ dollarsPerMillion: 1.5, holdsHot: true, hotLagP99Ms: 9_999 });
  const dear = trial({ holdsHot: true, hotLagP99Ms: 1_000 });

  expect(findCheapestHot([dear, late, untried, behind, cheap], 5)).toBe(cheap);
});

test('trials are listed by their price, with the best for each goal', () => {
  const cheap = trial({ dollarsPerMillion: 1.5 });
  const behind = trial({ tuning: { ...tuning, batchSize: 10 }, holds: false });
  const hot = trial({ tuning: { ...tuning, clickQueues: 4 }, holdsHot: true, hotLagP99Ms: 4_270 });

  const lines = formatSweep({
    ...{ traffic: 'busy', hotTraffic: 'viral', stage: 'prod', bestHot: hot },
    trials: [behind, cheap],
    best: { 5: cheap },
  });

  const best =
    '1 queue, batch 100, window 1 s, concurrency 5, 1024 MB · 1.50 $/million · 1.25 units · p99 3.0 s';
  expect(lines).toEqual([
    best,
    '1 queue, batch 10, window 1 s, concurrency 5, 1024 MB · 2.00 $/million · 1.25 units · falls behind',
    '',
    `cheapest with a lag below 5 s: ${best}`,
    'cheapest with a lag below 5 s that holds the hot link: ' +
      '4 queues, batch 100, window 1 s, concurrency 5, 1024 MB · 2.00 $/million · 1.25 units · p99 3.0 s · hot link: p99 4.3 s',
  ]);
});

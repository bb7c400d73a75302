import { describe, expect, test } from 'vitest';
import {
  findCheapest,
  findCheapestHot,
  readSweep,
  renderSweep,
  type Trial,
} from '../../../capacity/sweep.ts';

const trial = (changes: Partial<Trial>): Trial => ({
  tuning: {
    ...{ batchSize: 100, batchWindowSeconds: 1, maximumConcurrency: 5, clickQueues: 1 },
    memoryMb: 1_024,
  },
  ...{ holds: true, lagP99Ms: 3_000, unitsPerClick: 1.25, dollarsPerMillion: 2 },
  ...changes,
});

describe('the cheapest setting', () => {
  test('is the one with the least dollars of those with a lag below 5 s', () => {
    const late = trial({ dollarsPerMillion: 1, lagP99Ms: 5_000 });
    const cheap = trial({ dollarsPerMillion: 1.5, lagP99Ms: 4_999 });
    const dear = trial({ dollarsPerMillion: 3, lagP99Ms: 10 });

    expect(findCheapest([dear, late, cheap])).toBe(cheap);
  });

  test('holds the traffic', () => {
    const behind = trial({ dollarsPerMillion: 1, holds: false });
    const dear = trial({ dollarsPerMillion: 3 });

    expect(findCheapest([behind, dear])).toBe(dear);
  });

  test('has the lowest lag of those that cost about the same', () => {
    const cheap = trial({ dollarsPerMillion: 1 });
    const early = trial({ dollarsPerMillion: 1.009, lagP99Ms: 2_000 });

    expect(findCheapest([cheap, early])).toBe(early);
  });

  test('is named as missing if no setting reaches the goal', () => {
    expect(() => findCheapest([trial({ lagP99Ms: 6_000 })])).toThrow(
      'expected a setting with a lag below 5000 ms; none of them has',
    );
  });

  test('that holds the hot link keeps its lag below 10 s', () => {
    const untried = trial({ dollarsPerMillion: 1 });
    const behind = trial({ dollarsPerMillion: 1.1, holdsHot: false, hotLagP99Ms: 9_000 });
    const late = trial({ dollarsPerMillion: 1.2, holdsHot: true, hotLagP99Ms: 10_000 });
    const cheap = trial({ dollarsPerMillion: 1.5, holdsHot: true, hotLagP99Ms: 9_999 });
    const dear = trial({ holdsHot: true, hotLagP99Ms: 1_000 });

    expect(findCheapestHot([dear, late, untried, behind, cheap])).toBe(cheap);
  });
});

test('of each number of queues, the table has the setting that holds the hot link, or the cheapest', () => {
  const lines = renderSweep(readSweep()).split('\n').slice(2);

  expect(lines.map((line) => line.split(' | ').slice(0, 7).join(' '))).toEqual([
    '| 1 1,000 2 2 1,769 2.2 s > 34 s',
    '| 2 1,000 5 2 1,769 4.1 s > 30 s',
    '| 4 10,000 1 2 1,769 1.3 s 4.4 s',
    '| 8 10,000 1 2 1,769 1.3 s 2.1 s',
  ]);
});

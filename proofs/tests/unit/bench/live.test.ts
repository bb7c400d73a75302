import { describe, expect, test } from 'vitest';
import { measureDelays } from '../../../bench/live/delays.ts';
import { isComplete, type LiveResult } from '../../../bench/live/live-result.ts';

describe("a click's delay", () => {
  test('ends when the total first reaches its position', () => {
    const sightings = [
      { atMs: 900, clicks: 0 },
      { atMs: 1_500, clicks: 2 },
      { atMs: 1_700, clicks: 2 },
      { atMs: 2_400, clicks: 3 },
    ];

    const delays = measureDelays([1_000, 1_050, 1_100], sightings);

    expect(delays).toEqual([500, 450, 1_300]);
  });

  test('uses positions in the order of the starts', () => {
    const sightings = [
      { atMs: 30, clicks: 1 },
      { atMs: 90, clicks: 2 },
    ];

    expect(measureDelays([20, 10], sightings)).toEqual([20, 70]);
  });

  test('is missing if the click was never seen', () => {
    expect(measureDelays([10, 20], [{ atMs: 30, clicks: 1 }])).toEqual([20]);
  });
});

const result: LiveResult = {
  clicks: 600,
  clicksPerSecond: 20,
  connections: 2,
  toConnection: { medianMs: 412.4, p95Ms: 741.6 },
  toScreen: { medianMs: 441, p95Ms: 1_777 },
  isGoalMet: false,
  stored: 600,
  onScreen: 600,
  atConnections: [600, 600],
};

describe('a run', () => {
  test('is complete if the screen and every connection saw every click', () => {
    expect(isComplete(result)).toBe(true);
  });

  test.each<[string, Partial<LiveResult>]>([
    ['the table misses a click', { stored: 599 }],
    ['the screen misses a click', { onScreen: 599 }],
    ['a connection misses a click', { atConnections: [600, 599] }],
    ['a click counted twice', { stored: 601, onScreen: 601, atConnections: [601, 601] }],
  ])('is incomplete if %s', (_name, change) => {
    expect(isComplete({ ...result, ...change })).toBe(false);
  });
});

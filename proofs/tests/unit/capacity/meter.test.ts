import { beforeEach, describe, expect, test } from 'vitest';
import { Durations, Meter } from '../../../capacity/meter.ts';

describe('durations', () => {
  test.each([
    [0.5, 5_000],
    [0.99, 9_900],
    [1, 10_000],
  ])('the quantile %d of 1 to 10,000 ms is right within a hundredth', (share, expectedMs) => {
    const durations = new Durations();
    for (let ms = 10_000; ms > 0; ms -= 1) durations.add(ms);

    const ratio = durations.quantileMs(share) / expectedMs;

    expect(ratio).toBeGreaterThan(0.99);
    expect(ratio).toBeLessThan(1.01);
  });

  test('hours are told from each other within a hundredth', () => {
    const durations = new Durations();
    const hourMs = 3_600_000;
    for (let hours = 1; hours <= 3; hours += 1) durations.add(hours * hourMs);

    const medianHours = durations.quantileMs(0.5) / hourMs;

    expect(medianHours).toBeGreaterThan(1.98);
    expect(medianHours).toBeLessThan(2.02);
  });

  test('a quantile is never above the worst', () => {
    const durations = new Durations();
    durations.add(1_000.5);

    expect(durations.quantileMs(0.99)).toBe(1_000.5);
    expect(durations.worstMs).toBe(1_000.5);
  });

  test('those of less than a millisecond are at most one', () => {
    const durations = new Durations();
    durations.add(0);
    durations.add(0.4);

    expect(durations.quantileMs(0.5)).toBeLessThanOrEqual(1);
  });

  test('without any, there is no quantile', () => {
    expect(new Durations().quantileMs(0.5)).toBeNaN();
  });
});

describe('the meter', () => {
  const click = (sentMs: number) => ({ id: '', body: '', sentMs, receiveCount: 1 });
  let meter: Meter;

  beforeEach(() => {
    meter = new Meter(1_000);
  });

  test('adds up the batches that end from its time on', () => {
    meter.endBatch({ startMs: 800, size: 2 }, [click(700), click(750)], 999);
    meter.endBatch({ startMs: 900, size: 3 }, [click(500), click(600)], 1_000);
    meter.endBatch({ startMs: 1_100, size: 1 }, [click(1_050)], 1_200);

    expect(meter.sums).toMatchObject({
      ...{ batches: 2, batchClicks: 4, counted: 3, failed: 1 },
      invocationMs: 200,
    });
    expect(meter.lags.worstMs).toBe(500);
  });

  test("reads the function's metrics and counts the bytes of its log", () => {
    const metrics = JSON.stringify({ _aws: {}, ClicksCounted: 7, DuplicateClicks: 2 });
    meter.onLog(metrics, 999);
    meter.onLog(metrics, 1_000);
    meter.onLog('é', 1_000);

    expect(meter.sums).toMatchObject({
      ...{ metricCounted: 7, metricDuplicates: 2 },
      // {"_aws":{},"ClicksCounted":7,"DuplicateClicks":2} and é, each with its line's end.
      logBytes: 50 + 3,
    });
  });

  test('remembers the most of each tick from its time on', () => {
    meter.onTick({ running: 9, depth: 9, inFlight: 9 }, 999);
    meter.onTick({ running: 1, depth: 5, inFlight: 2 }, 1_000);
    meter.onTick({ running: 3, depth: 4, inFlight: 1 }, 1_020);

    expect(meter).toMatchObject({ maxRunning: 3, maxDepth: 5, maxInFlight: 2 });
  });
});

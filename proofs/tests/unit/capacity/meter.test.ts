import { expect, test } from 'vitest';
import { Durations, Meter } from '../../../capacity/meter.ts';

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

test('only what ends after the warm-up is measured', () => {
  const click = (sentMs: number) => ({ id: '', body: '', sentMs, receiveCount: 1 });
  const metrics = JSON.stringify({ _aws: {}, ClicksCounted: 7, DuplicateClicks: 2 });
  const meter = new Meter(1_000);
  meter.endBatch({ startMs: 800, size: 2 }, [click(100), click(750)], 999);
  meter.onLog(metrics, 999);

  meter.endBatch({ startMs: 900, size: 3 }, [click(500), click(600)], 1_000);
  meter.onLog(metrics, 1_000);

  expect(meter.sums).toMatchObject({
    ...{ batches: 1, batchClicks: 3, counted: 2, failed: 1, invocationMs: 100 },
    ...{ metricCounted: 7, metricDuplicates: 2 },
    // {"_aws":{},"ClicksCounted":7,"DuplicateClicks":2} and the line's end.
    logBytes: 50,
  });
  expect(meter.lags.worstMs).toBe(500);
});

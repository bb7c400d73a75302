import { expect, test } from 'vitest';
import { reportBatch } from '../../../lib/clicks/report.ts';
import { metrics } from '../../../lib/telemetry/powertools.ts';

test('an empty batch has no metrics', () => {
  reportBatch([], 3);

  expect(metrics.hasStoredMetrics()).toBe(false);
});

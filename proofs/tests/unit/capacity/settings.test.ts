import { expect, test } from 'vitest';
import { readStage } from '../../../capacity/stage.ts';
import { findCheapestHot, readSweep } from '../../../capacity/sweep.ts';

test("prod has the last sweep's cheapest settings that sustain a hot link with a lag below 5 s", () => {
  const { batchSize, batchWindowMs, maximumConcurrency, clickQueues, memoryMb } = readStage('prod');

  expect({
    ...{ batchSize, maximumConcurrency, clickQueues, memoryMb },
    batchWindowSeconds: batchWindowMs / 1_000,
  }).toEqual(findCheapestHot(readSweep()).tuning);
});

test('staging differs from prod only in front of the queue', () => {
  const before = { stage: '', visitorsPerSecond: 0, resolverConcurrency: 0 };

  expect({ ...readStage('staging'), ...before }).toEqual({ ...readStage('prod'), ...before });
});

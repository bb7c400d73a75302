import { expect, test } from 'vitest';
import { readStage } from '../../../capacity/stage.ts';
import { findCheapestHot, readSweep } from '../../../capacity/sweep.ts';

test('prod has the cheapest settings with a lag below 5 s that hold a hot link, as the last sweep found them', () => {
  const { batchSize, batchWindowMs, maximumConcurrency, clickQueues, memoryMb } = readStage('prod');

  expect({
    ...{ batchSize, maximumConcurrency, clickQueues, memoryMb },
    batchWindowSeconds: batchWindowMs / 1_000,
  }).toEqual(findCheapestHot(readSweep()).tuning);
});

test('staging counts as prod does; only what lies before the queue differs', () => {
  const before = { stage: '', visitorsPerSecond: 0, resolverConcurrency: 0 };

  expect({ ...readStage('staging'), ...before }).toEqual({ ...readStage('prod'), ...before });
});

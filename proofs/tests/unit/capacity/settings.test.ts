import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readStage } from '../../../capacity/stage.ts';
import { type Sweep, sweepFile } from '../../../capacity/sweep.ts';

const { bestHot }: Sweep = JSON.parse(readFileSync(sweepFile, 'utf8'));

test.each(['staging', 'prod'])(
  '%s has the cheapest settings with a lag below 5 s that hold a hot link, as the last sweep found them',
  (stage) => {
    const { batchSize, batchWindowMs, maximumConcurrency, clickQueues, memoryMb } =
      readStage(stage);

    expect({
      ...{ batchSize, maximumConcurrency, clickQueues, memoryMb },
      batchWindowSeconds: batchWindowMs / 1_000,
    }).toEqual(bestHot.tuning);
  },
);

import { availableParallelism } from 'node:os';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import pLimit from 'p-limit';
import type { PackagedService } from '../../fixtures/packaged-service.ts';
import { type Engine, startDynamoDb } from '../../local/engines/dynamodb.ts';
import { localClientConfig } from '../../loopback/local-aws.ts';
import { type CellOptions, type CellResult, runCell } from './cell.ts';
import { createFunctionHost } from './function-host.ts';
import type { Cell } from './names.ts';

export interface GauntletOptions extends CellOptions {
  cells: Cell[];
  service: PackagedService;
  engine?: Engine;
  /** The number of cells that run concurrently. */
  concurrency?: number;
  onResult?: (result: CellResult) => void;
  /** Aborting it starts no more cells, and the gauntlet fails. */
  signal?: AbortSignal;
}

// A cell often waits for the engine, so more cells than processors keep the machine busy.
const defaultConcurrency = Math.min(8, availableParallelism() + 2);

/** Runs the cells on the local engine, and returns their results in the same order. */
export async function runGauntlet(options: GauntletOptions): Promise<CellResult[]> {
  const { cells, service, engine, concurrency = defaultConcurrency, onResult, signal } = options;
  await using cleanup = new AsyncDisposableStack();
  const { endpoint, stop } = await startDynamoDb(engine ? { engine } : {});
  cleanup.defer(stop);
  const dynamodb = new DynamoDBClient(localClientConfig(endpoint));
  cleanup.defer(() => dynamodb.destroy());
  const functions = await createFunctionHost(service, endpoint, cleanup);
  const limit = pLimit(concurrency);
  cleanup.defer(() => limit.clearQueue());
  return await limit.map(cells, async (cell) => {
    signal?.throwIfAborted();
    const result = await runCell({ service, dynamodb, functions }, cell, options).catch((error) => {
      throw new Error(`${cell.approach} × ${cell.fault}: ${error.stack}`);
    });
    onResult?.(result);
    return result;
  });
}

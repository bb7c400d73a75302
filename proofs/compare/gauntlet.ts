import { fork } from 'node:child_process';
import { on } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { PackagedService } from '../../fixtures/packaged-service.ts';
import { type Engine, startDynamoDb } from '../../local/engines/dynamodb.ts';
import type { CellOptions, CellResult } from './cell.ts';
import { bundleFunctions } from './function-bundle.ts';
import type { FromLane, LaneSetup } from './lane.ts';
import type { Cell } from './names.ts';

export interface GauntletOptions extends CellOptions {
  cells: Cell[];
  service: PackagedService;
  engine?: Engine;
  /** The number of cells that run concurrently, each in a process with its own clock. */
  lanes?: number;
  onResult?: (result: CellResult) => void;
  /** Aborting it stops all lanes, and the gauntlet fails. */
  signal?: AbortSignal;
}

// A lane often waits for the engines, so more lanes than processors keep the machine busy.
const usualLanes = Math.min(8, availableParallelism() + 2);

/** Runs the cells on the local engines. The results are in the order in which the cells end. */
export async function runGauntlet({
  cells,
  service,
  engine,
  lanes = usualLanes,
  onResult = () => {},
  signal,
  ...options
}: GauntletOptions): Promise<CellResult[]> {
  await using cleanup = new AsyncDisposableStack();
  const dynamodb = await startDynamoDb(engine ? { engine } : {});
  cleanup.defer(dynamodb.stop);
  const { entry, compileCacheDir } = cleanup.use(await bundleFunctions());
  const setup = { service, dynamodbEndpoint: dynamodb.endpoint, entry, compileCacheDir, options };
  const left = [...cells];
  const results: CellResult[] = [];
  const runs = Array.from({ length: Math.min(lanes, cells.length) }, async () => {
    for await (const result of runLane(setup, left, signal)) {
      results.push(result);
      onResult(result);
    }
  });
  await Promise.all(runs);
  return results;
}

/** Runs cells in a process of their own until none are left. */
async function* runLane(setup: LaneSetup, left: Cell[], signal: AbortSignal | undefined) {
  const lane = fork(path.join(import.meta.dirname, 'lane.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Its own process group, so that Ctrl-C reaches only this process, which then stops the lanes.
    detached: true,
    ...(signal && { signal }),
  });
  const messages = on(lane, 'message', { close: ['exit'] });
  lane.send({ setup });
  try {
    for await (const [data] of messages) {
      const message: FromLane = data;
      if ('error' in message) throw new Error(message.error);
      if ('result' in message) yield message.result;
      const cell = left.shift();
      if (!cell) return;
      lane.send({ cell });
    }
    throw new Error(`A lane exited with code ${lane.exitCode}.`);
  } finally {
    if (lane.connected) lane.disconnect();
  }
}

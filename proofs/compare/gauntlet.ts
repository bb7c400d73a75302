import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { PackagedService } from '../../fixtures/packaged-service.ts';
import { type Engine, startDynamoDb } from '../../local/engines/dynamodb.ts';
import type { CellOptions, CellResult } from './cell.ts';
import { bundleFunctions } from './function-bundle.ts';
import type { FromLane, LaneSetup, ToLane } from './lane.ts';
import type { Cell } from './names.ts';

export interface GauntletOptions extends CellOptions {
  cells: Cell[];
  service: PackagedService;
  engine?: Engine;
  /** How many cells run at a time, each in a process with a clock of its own. */
  lanes?: number;
  onResult?: (result: CellResult) => void;
  /** Aborting it stops all lanes, and the gauntlet fails. */
  signal?: AbortSignal;
}

type Lane = ReturnType<typeof forkLane>;

/** Far more than a cell needs on a slow machine. */
const replyTimeoutMs = 180_000;

// A lane often waits for the engines, so more lanes than processors keep the machine busy.
const extraLanes = 2;
const maxLanes = 8;

/** Runs the cells on the local engines. The results are in the order of the cells. */
export async function runGauntlet(options: GauntletOptions): Promise<CellResult[]> {
  const { cells, service, engine, lanes: laneCount = chooseLaneCount(), signal } = options;
  await using cleanup = new AsyncDisposableStack();
  const dynamodb = await startDynamoDb(engine ? { engine } : {});
  cleanup.defer(dynamodb.stop);
  const bundle = cleanup.use(await bundleFunctions());
  const lanes = Array.from({ length: Math.min(laneCount, cells.length) }, () =>
    cleanup.use(forkLane()),
  );
  signal?.addEventListener('abort', () => {
    for (const lane of lanes) void lane.stop();
  });
  const { entry, compileCacheDir } = bundle;
  const setup = { service, dynamodbEndpoint: dynamodb.endpoint, entry, compileCacheDir };
  await Promise.all(lanes.map((lane) => lane.start(setup)));
  return await runCells(options, lanes);
}

function chooseLaneCount(): number {
  return Math.min(maxLanes, availableParallelism() + extraLanes);
}

async function runCells(
  { cells, onResult, clickCount, seed }: GauntletOptions,
  lanes: Lane[],
): Promise<CellResult[]> {
  const results: CellResult[] = [];
  const queue = [...cells.entries()];
  const runQueue = async (lane: Lane) => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, cell] = next;
      const result = await lane.run(cell, { clickCount, seed }).catch((error) => {
        throw new Error(`${cell.approach} × ${cell.fault}, ${cell.effect}: ${error}`);
      });
      results[index] = result;
      onResult?.(result);
    }
  };
  await Promise.all(lanes.map(runQueue));
  return results;
}

function forkLane() {
  const child = fork(path.join(import.meta.dirname, 'lane.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // A process group of its own: Ctrl-C reaches only this process, which then stops the lanes.
    detached: true,
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    if (child.connected) child.disconnect();
    await exited;
  };
  return {
    start: async (setup: LaneSetup) => {
      await ask(child, { type: 'start', setup });
    },
    run: async (cell: Cell, options: CellOptions) => {
      const reply = await ask(child, { type: 'run', cell, options });
      if (reply.type !== 'result') throw new Error(`Expected a result; got "${reply.type}".`);
      return reply.result;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function ask(child: ChildProcess, question: ToLane): Promise<FromLane> {
  const signal = AbortSignal.timeout(replyTimeoutMs);
  const replies = on(child, 'message', { close: ['exit'], signal });
  child.send(question);
  for await (const [reply] of replies) {
    if (reply.type === 'failed') throw new Error(reply.error);
    return reply;
  }
  throw new Error(`A lane exited with code ${child.exitCode}.`);
}

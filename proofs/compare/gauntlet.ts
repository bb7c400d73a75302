import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { PackagedService } from '../../fixtures/packaged-service.ts';
import { type Engine, startDynamoDb } from '../../local/engines/dynamodb.ts';
import type { CellOptions, CellResult } from './cell.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './cell-worker.ts';
import { bundleFunctions } from './function-bundle.ts';
import type { Cell } from './names.ts';

export interface GauntletOptions extends CellOptions {
  cells: Cell[];
  service: PackagedService;
  engine?: Engine;
  /** The number of cells that run concurrently, each in a process with its own clock. */
  workers?: number;
  onResult?: (result: CellResult) => void;
  /** Aborting it stops all workers, and the gauntlet fails. */
  signal?: AbortSignal;
}

type CellWorker = ReturnType<typeof forkWorker>;

/** Far more than a cell needs, even on a machine that is busy with other things. */
const replyTimeoutMs = 900_000;

// A worker often waits for the engines, so more workers than processors keep the machine busy.
const extraLanes = 2;
const maxLanes = 8;

/** Runs the cells on the local engines. The results are in the order of the cells. */
export async function runGauntlet(options: GauntletOptions): Promise<CellResult[]> {
  const { cells, service, engine, workers: workerCount = chooseWorkerCount(), signal } = options;
  await using cleanup = new AsyncDisposableStack();
  const dynamodb = await startDynamoDb(engine ? { engine } : {});
  cleanup.defer(dynamodb.stop);
  const bundle = cleanup.use(await bundleFunctions());
  const workers = Array.from({ length: Math.min(workerCount, cells.length) }, () =>
    cleanup.use(forkWorker()),
  );
  signal?.addEventListener('abort', () => {
    for (const worker of workers) void worker.stop();
  });
  const { entry, compileCacheDir } = bundle;
  const setup = { service, dynamodbEndpoint: dynamodb.endpoint, entry, compileCacheDir };
  await Promise.all(workers.map((worker) => worker.start(setup)));
  return await runCells(options, workers);
}

function chooseWorkerCount(): number {
  return Math.min(maxLanes, availableParallelism() + extraLanes);
}

async function runCells(
  { cells, onResult, clickCount, seed }: GauntletOptions,
  workers: CellWorker[],
): Promise<CellResult[]> {
  const results: CellResult[] = [];
  const queue = [...cells.entries()];
  const runQueue = async (worker: CellWorker) => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, cell] = next;
      const result = await worker.run(cell, { clickCount, seed }).catch((error) => {
        throw new Error(`${cell.approach} × ${cell.fault}: ${error.cause ?? error}`);
      });
      results[index] = result;
      onResult?.(result);
    }
  };
  await Promise.all(workers.map(runQueue));
  return results;
}

function forkWorker() {
  const child = fork(path.join(import.meta.dirname, 'cell-worker.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Its own process group, so that Ctrl-C reaches only this process, which then stops the workers.
    detached: true,
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    if (child.connected) child.disconnect();
    await exited;
  };
  return {
    start: async (setup: WorkerSetup) => {
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

async function ask(child: ChildProcess, question: ToWorker): Promise<FromWorker> {
  const signal = AbortSignal.timeout(replyTimeoutMs);
  const replies = on(child, 'message', { close: ['exit'], signal });
  child.send(question);
  for await (const [reply] of replies) {
    if (reply.type === 'failed') throw new Error(reply.error);
    return reply;
  }
  throw new Error(`A worker exited with code ${child.exitCode}.`);
}

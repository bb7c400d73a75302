import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { buildFunctionCode, type FunctionSource } from '../simulation/function-code.ts';
import type { Approach, Cell, Result } from './result.ts';
import type { Report } from './worker.ts';

/** A run's items are long-lived. */
const resourceLimits = { maxOldGenerationSizeMb: 6_144, maxYoungGenerationSizeMb: 256 };

/**
 * Runs cells on all cores. The results are in the order of the cells.
 * @throws {Error} that names a cell that failed.
 */
export async function runCells(
  cells: readonly Cell[],
  onProgress: (addedPercent: number, cell: Cell) => void = () => {},
): Promise<Result[]> {
  const sources = new Map<Approach, Promise<FunctionSource>>();
  const sourceOf = (approach: Approach) => {
    const source = sources.get(approach) ?? buildFunctionCode([], approach);
    sources.set(approach, source);
    return source;
  };
  const left = cells.entries();
  const results: Result[] = [];
  const runThread = async () => {
    for (const [index, cell] of left) {
      // Each cell has its own thread, so that its memory is freed.
      const worker = new Worker(new URL('worker.ts', import.meta.url), {
        ...{ workerData: await sourceOf(cell.approach), execArgv: [], resourceLimits },
      });
      try {
        results[index] = await ask(worker, cell, (added) => onProgress(added, cell));
      } finally {
        await worker.terminate();
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runThread));
  return results;
}

function ask(
  worker: Worker,
  cell: Cell,
  onProgress: (addedPercent: number) => void,
): Promise<Result> {
  let told = 0;
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.on('message', (report: Report) => {
      if ('error' in report) return reject(new Error(report.error));
      const percent = 'progress' in report ? Math.round(100 * report.progress) : 100;
      if (percent > told) onProgress(percent - told);
      told = Math.max(told, percent);
      if ('result' in report) resolve(report.result);
    });
    worker.postMessage(cell);
  });
}

import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { buildFunctionCode } from '../simulation/function-code.ts';
import type { Cell, Result } from './run-cell.ts';

/** A run's items are long-lived. */
const resourceLimits = { maxOldGenerationSizeMb: 6_144, maxYoungGenerationSizeMb: 256 };

/**
 * Runs cells on all cores, the longest first, so that all cores finish at about the same time. The
 * results are in the order of the cells.
 */
export async function runCells(cells: readonly Cell[], onResult: () => void): Promise<Result[]> {
  const source = await buildFunctionCode();
  const run = async (cell: Cell): Promise<[Cell, Result]> => {
    // Each cell has its own thread, so that its memory is freed.
    const options = { workerData: { source, cell }, execArgv: [], resourceLimits };
    const worker = new Worker(new URL('worker.ts', import.meta.url), options);
    const [result] = await once(worker, 'message');
    await worker.terminate();
    onResult();
    return [cell, result];
  };
  const inOrder = cells.toSorted((a, b) => estimateWork(b) - estimateWork(a));
  const results = new Map(await pLimit(availableParallelism()).map(inOrder, run));
  return cells.flatMap((cell) => results.get(cell) ?? []);
}

/** Clicks. A provisioned table that must first grow is asked about ten times for each. */
function estimateWork({ traffic, tuning }: Cell): number {
  const clicks = traffic.clicksPerSecond * traffic.untilSeconds;
  return tuning?.billing === 'provisioned' && !traffic.isUsual ? 10 * clicks : clicks;
}

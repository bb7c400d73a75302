import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { buildFunctionCode } from '../simulation/function-code.ts';
/** A run's items are long-lived. */
const resourceLimits = { maxOldGenerationSizeMb: 6144, maxYoungGenerationSizeMb: 256 };
/**
 * Runs cells on all cores, the longest first, so that all cores finish at about the same time. The
 * results are in the order of the cells.
 */
export async function runCells(cells, onResult) {
    const source = await buildFunctionCode();
    const run = async (cell) => {
        // Each cell has its own thread, so that its memory is freed.
        const options = { workerData: { source, cell }, execArgv: [], resourceLimits };
        const worker = new Worker(new URL('worker.ts', import.meta.url), options);
        const [result] = await once(worker, 'message');
        await worker.terminate();
        onResult();
        return [cell, result];
    };
    const countClicks = ({ traffic: { clicksPerSecond, untilSeconds } }) => clicksPerSecond * untilSeconds;
    const inOrder = cells.toSorted((a, b) => countClicks(b) - countClicks(a));
    const results = new Map(await pLimit(availableParallelism()).map(inOrder, run));
    return cells.flatMap((cell) => results.get(cell) ?? []);
}

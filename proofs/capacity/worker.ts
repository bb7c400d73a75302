import { parentPort, workerData } from 'node:worker_threads';
import { compileFunctionCode } from '../simulation/compiled-code.ts';
import type { FunctionSource } from '../simulation/function-code.ts';
import type { Cell, Result } from './result.ts';
import { runCell } from './run-cell.ts';

/** What a thread tells: its cell's progress from 0 to 1, or how the cell ended. */
export type Report = { progress: number } | { result: Result } | { error: string };

// Errors are made by the thousand here, and nobody reads their stacks.
Error.stackTraceLimit = 0;

const code = compileFunctionCode(workerData as FunctionSource);

parentPort?.on('message', async (cell: Cell) => {
  const tell = (report: Report) => parentPort?.postMessage(report);
  try {
    const result = await runCell(cell, code, (seconds, until) =>
      tell({ progress: Math.min(1, seconds / until) }),
    );
    tell({ result });
  } catch (error) {
    tell({ error: `${cell.stage}, ${cell.traffic}: ${error}` });
  }
});

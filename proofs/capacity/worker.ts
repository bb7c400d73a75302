import { parentPort, workerData } from 'node:worker_threads';
import { compileFunctionCode } from '../simulation/compiled-code.ts';
import type { FunctionSource } from '../simulation/function-code.ts';
import type { Cell, Result } from './result.ts';
import { runCell } from './run-cell.ts';

/** A thread's report: its cell's progress from 0 to 1, its result or its error. */
export type Report = { progress: number } | { result: Result } | { error: string };

// Thousands of errors are created here, and their stacks are never used.
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

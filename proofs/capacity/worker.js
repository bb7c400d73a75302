import { parentPort, workerData } from 'node:worker_threads';
import { compileFunctionCode } from '../simulation/sandbox.ts';
import { runCell } from './run-cell.ts';
// Thousands of errors are created here, and their stacks are never used.
Error.stackTraceLimit = 0;
const { source, cell } = workerData;
parentPort?.postMessage(await runCell(cell, compileFunctionCode(source)));

import { parentPort } from 'node:worker_threads';
import { runMalformed } from './clicks/malformed.ts';
import { compileFunctionCode, type FunctionCode } from './compiled-code.ts';
import { explore, smallWorldsParts } from './exhaustive.ts';
import type { FunctionSource } from './function-code.ts';
import { runWorld } from './run-world.ts';
import { serviceOf, type Task, type TracedResult, type WorldTask } from './tasks.ts';
import { drawPlan } from './world-plan.ts';

/** A task with the functions' source, unless this thread already has it, or the end. */
export type Instruction = { task: Task; source?: FunctionSource } | 'stop';

// Thousands of errors are created here, and their stacks are never used.
Error.stackTraceLimit = 0;

/** By the names of the service and the planted bug. */
const codes = new Map<string, FunctionCode>();

parentPort?.on('message', async (message: Instruction) => {
  if (message === 'stop') {
    parentPort?.close();
    return;
  }
  const { task, source } = message;
  const bug = task.bug?.name;
  const name = `${serviceOf(task)} ${bug}`;
  try {
    if (source !== undefined) codes.set(name, compileFunctionCode(source));
    const code = codes.get(name);
    if (!code) throw new Error('expected the source of the functions with the first task');
    const result = await perform(task, code);
    if (code.brokenBy) throw code.brokenBy;
    parentPort?.postMessage({ result });
  } catch (error) {
    const text = error instanceof Error ? error.stack : String(error);
    parentPort?.postMessage({ error: `${JSON.stringify({ ...task, bug })}: ${text}` });
  }
});

async function perform(task: Task, code: FunctionCode) {
  if ('malformed' in task) return runMalformed(task.seed, task.malformed, code);
  if (!('part' in task)) return performWorld(task, code);
  const part = smallWorldsParts[task.part - 1];
  if (!part) throw new RangeError(`expected a part of the small worlds; got ${task.part}`);
  return explore(part, code, task.isUnpruned ? () => false : undefined);
}

async function performWorld(
  { seed, options, only, isTraced = false }: WorldTask,
  code: FunctionCode,
): Promise<TracedResult> {
  const lines: string[] = [];
  const plan = { ...drawPlan(seed, options), ...(only && { only: new Set(only) }) };
  const result = await runWorld(plan, code, isTraced ? (line) => lines.push(line) : undefined);
  return { ...result, lines };
}

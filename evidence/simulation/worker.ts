import { parentPort } from 'node:worker_threads';
import { compileFunctionCode, type FunctionCode } from './compiled-code.ts';
import { deliveries, explore } from './exhaustive.ts';
import type { FunctionSource } from './function-code.ts';
import { runMalformed } from './malformed.ts';
import { runWorld } from './run-world.ts';
import type { Task, TracedResult, WorldTask } from './tasks.ts';
import { drawPlan } from './world-plan.ts';

/** A task, and the source of the functions if this thread has not had it yet; or the end. */
export type Message = { task: Task; source?: FunctionSource } | 'stop';

// Errors are made by the thousand here, and nobody reads their stacks.
Error.stackTraceLimit = 0;

/** By the name of the planted bug. */
const codes = new Map<string | undefined, FunctionCode>();

parentPort?.on('message', async (message: Message) => {
  if (message === 'stop') {
    parentPort?.close();
    return;
  }
  const { task, source } = message;
  const bug = task.bug?.name;
  try {
    if (source !== undefined) codes.set(bug, compileFunctionCode(source));
    const code = codes.get(bug);
    if (!code) throw new Error('expected the source of the functions with the first task');
    parentPort?.postMessage({ result: await perform(task, code) });
  } catch (error) {
    const text = error instanceof Error ? error.stack : String(error);
    parentPort?.postMessage({ error: `${JSON.stringify({ ...task, bug })}: ${text}` });
  }
});

async function perform(task: Task, code: FunctionCode) {
  if ('malformed' in task) return runMalformed(task.seed, task.malformed, code);
  if (!('delivery' in task)) return performWorld(task, code);
  const delivery = deliveries[task.delivery];
  if (!delivery) throw new RangeError(`expected a delivery; got ${task.delivery}`);
  return explore(delivery, code, task.isUnpruned ? () => false : undefined);
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

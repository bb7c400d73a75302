import { parentPort } from 'node:worker_threads';
import { compileFunctionCode, type FunctionCode } from './compiled-code.ts';
import { deliveries, explore } from './exhaustive.ts';
import type { FunctionSource } from './function-code.ts';
import { runMalformed } from './malformed.ts';
import { drawOrdersPlan, runOrdersWorld } from './orders/run-orders-world.ts';
import { runClicksWorld } from './run-clicks-world.ts';
import type { Task, TracedResult, WorldTask } from './tasks.ts';
import { drawPlan } from './world-plan.ts';

/** A task, and the source of the functions if this thread has not had it yet; or the end. */
export type Message = { task: Task; source?: FunctionSource } | 'stop';

// Errors are made by the thousand here, and nobody reads their stacks.
Error.stackTraceLimit = 0;

/** By the names of the service and the planted bug. */
const codes = new Map<string, FunctionCode>();

parentPort?.on('message', async (message: Message) => {
  if (message === 'stop') {
    parentPort?.close();
    return;
  }
  const { task, source } = message;
  const bug = task.bug?.name;
  const name = `${'service' in task ? task.service : ''} ${bug}`;
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
  if (!('delivery' in task)) return performWorld(task, code);
  const delivery = deliveries[task.delivery];
  if (!delivery) throw new RangeError(`expected a delivery; got ${task.delivery}`);
  return explore(delivery, code, task.isUnpruned ? () => false : undefined);
}

async function performWorld(
  { seed, service, options, only, isTraced = false }: WorldTask,
  code: FunctionCode,
): Promise<TracedResult> {
  const lines: string[] = [];
  const [draw, run] =
    service === 'orders' ? [drawOrdersPlan, runOrdersWorld] : [drawPlan, runClicksWorld];
  const plan = { ...draw(seed, options), ...(only && { only: new Set(only) }) };
  const result = await run(plan, code, isTraced ? (line) => lines.push(line) : undefined);
  return { ...result, lines };
}

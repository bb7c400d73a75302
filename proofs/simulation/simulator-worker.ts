import { parentPort } from 'node:worker_threads';
import { compileFunctionCode, type FunctionCode } from './compiled-code.ts';
import type { FunctionSource } from './function-code.ts';
import { runWorld } from './run-world.ts';
import type { TracedResult, WorldTask } from './tasks.ts';
import { drawPlan } from './world-plan.ts';

/** A task with the functions' source, unless this thread already has it, or the end. */
export type Instruction = { task: WorldTask; source?: FunctionSource } | 'stop';

// Thousands of errors are created here, and their stacks are never used.
Error.stackTraceLimit = 0;

/** By the name of the planted bug, if any. */
const codes = new Map<string | undefined, FunctionCode>();

parentPort?.on('message', async (message: Instruction) => {
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
    const result = await performWorld(task, code);
    if (code.brokenBy) throw code.brokenBy;
    parentPort?.postMessage({ result });
  } catch (error) {
    const text = error instanceof Error ? error.stack : String(error);
    parentPort?.postMessage({ error: `${JSON.stringify({ ...task, bug })}: ${text}` });
  }
});

async function performWorld(
  { seed, options, only, isTraced = false }: WorldTask,
  code: FunctionCode,
): Promise<TracedResult> {
  const lines: string[] = [];
  const plan = { ...drawPlan(seed, options), ...(only && { only: new Set(only) }) };
  const write = isTraced ? (line: string) => lines.push(line) : undefined;
  return { ...(await runWorld(plan, code, write)), lines };
}

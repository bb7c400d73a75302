import { parentPort } from 'node:worker_threads';
import { RecordedClicks } from '../model/recorder.ts';
import { compileFunctionCode, type FunctionCode } from './compiled-code.ts';
import type { FunctionSource } from './function-code.ts';
import { runWorld } from './run-world.ts';
import type { TracedResult, WorldTask } from './tasks.ts';
import type { World } from './world.ts';
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
  { seed, options, only, isTraced = false, isRecorded = false }: WorldTask,
  code: FunctionCode,
): Promise<TracedResult> {
  const lines: string[] = [];
  const plan = { ...drawPlan(seed, options), ...(only && { only: new Set(only) }) };
  // The model has no sheets that somebody else spoils, and links beside the first few add nothing.
  if (isRecorded) Object.assign(plan, { spoilAfterMs: [], links: Math.min(plan.links, 3) });
  let clicks: RecordedClicks | undefined;
  const createRecorded = (world: World) => {
    clicks = new RecordedClicks(world);
    return clicks;
  };
  const write = isTraced ? (line: string) => lines.push(line) : undefined;
  const result = await runWorld(plan, code, write, isRecorded ? createRecorded : undefined);
  return { ...result, lines, ...(clicks && { recorded: clicks.recorded }) };
}

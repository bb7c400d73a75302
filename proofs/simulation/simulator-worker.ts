import { parentPort } from 'node:worker_threads';
import { buildFunctionCode } from './function-code.ts';
import { plantedBugs } from './planted-bugs.ts';
import { runWorld } from './run-world.ts';
import { compileFunctionCode, type FunctionCode } from './sandbox.ts';
import { describeTask, type TracedResult, type WorldTask } from './simulator.ts';
import { drawPlan } from './world-plan.ts';

// Thousands of errors are created here, and their stacks are never used.
Error.stackTraceLimit = 0;

/** By the name of the planted bug, if any. */
const codes = new Map<string | undefined, FunctionCode>();

parentPort?.on('message', async (task: WorldTask | 'stop') => {
  if (task === 'stop') {
    parentPort?.close();
    return;
  }
  try {
    parentPort?.postMessage({ result: await perform(task) });
  } catch (error) {
    const text = error instanceof Error ? error.stack : String(error);
    parentPort?.postMessage({ error: `${describeTask(task)}: ${text}` });
  }
});

async function perform({ seed, bug, maxClicks, isTraced }: WorldTask): Promise<TracedResult> {
  const changes = plantedBugs.find(({ name }) => name === bug)?.changes;
  const code = codes.get(bug) ?? compileFunctionCode(await buildFunctionCode(changes));
  codes.set(bug, code);
  const lines: string[] = [];
  const write = isTraced ? (line: string) => lines.push(line) : undefined;
  return { ...(await runWorld(drawPlan(seed, maxClicks), code, write)), lines };
}

import { parentPort } from 'node:worker_threads';
import { buildFunctionCode, type FunctionSource } from './function-code.ts';
import { plantedBugs } from './planted-bugs.ts';
import { listVersions, readReleasedFunctions } from './released-functions.ts';
import { runWorld } from './run-world.ts';
import { compileFunctionCode, type FunctionCode } from './sandbox.ts';
import { describeTask, type Roll, type TracedResult, type WorldTask } from './simulator.ts';
import type { Versions } from './surroundings.ts';
import { drawPlan } from './world-plan.ts';

// Thousands of errors are created here, and their stacks are never used.
Error.stackTraceLimit = 0;

/** By the name of the planted bug, if any. */
const codes = new Map<string | undefined, FunctionCode>();
let withBugs: Promise<FunctionSource> | undefined;
let releasedCode: Promise<FunctionCode> | undefined;

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

async function perform({ seed, bug, maxClicks, roll, isTraced }: WorldTask): Promise<TracedResult> {
  const code = codes.get(bug) ?? (await compile(bug));
  codes.set(bug, code);
  const lines: string[] = [];
  const write = isTraced ? (line: string) => lines.push(line) : undefined;
  const versions = await chooseVersions(code, roll);
  const plan = drawPlan(seed, maxClicks, roll !== undefined);
  return { ...(await runWorld(plan, versions, write)), lines };
}

async function compile(bug: string | undefined): Promise<FunctionCode> {
  if (bug === undefined) return compileFunctionCode(await buildFunctionCode());
  withBugs ??= buildFunctionCode(plantedBugs);
  return compileFunctionCode(await withBugs, bug);
}

async function chooseVersions(present: FunctionCode, roll: Roll | undefined): Promise<Versions> {
  if (!roll) return { code: present };
  releasedCode ??= loadNewestRelease();
  const released = await releasedCode;
  return roll === 'forward' ? { code: released, next: present } : { code: present, next: released };
}

async function loadNewestRelease(): Promise<FunctionCode> {
  const newest = (await listVersions()).at(-1);
  if (!newest) throw new Error('expected a release in fixtures/releases; got none');
  return compileFunctionCode(await readReleasedFunctions(newest));
}

import { parentPort } from 'node:worker_threads';
import { readReleases } from '../releases/release.ts';
import { buildFunctionCode } from './function-code.ts';
import { plantedBugs } from './planted-bugs.ts';
import { runWorld } from './run-world.ts';
import { compileFunctionCode } from './sandbox.ts';
import { describeTask } from './simulator.ts';
import { drawPlan } from './world-plan.ts';
// Thousands of errors are created here, and their stacks are never used.
Error.stackTraceLimit = 0;
/** By the name of the planted bug, if any. */
const codes = new Map();
let releasedCode;
parentPort?.on('message', async (task) => {
    if (task === 'stop') {
        parentPort?.close();
        return;
    }
    try {
        parentPort?.postMessage({ result: await perform(task) });
    }
    catch (error) {
        const text = error instanceof Error ? error.stack : String(error);
        parentPort?.postMessage({ error: `${describeTask(task)}: ${text}` });
    }
});
async function perform({ seed, bug, maxClicks, roll, isTraced }) {
    const changes = plantedBugs.find(({ name }) => name === bug)?.changes;
    const code = codes.get(bug) ?? compileFunctionCode(await buildFunctionCode(changes));
    codes.set(bug, code);
    const lines = [];
    const write = isTraced ? (line) => lines.push(line) : undefined;
    const versions = await chooseVersions(code, roll);
    return { ...(await runWorld(drawPlan(seed, maxClicks), versions, write)), lines };
}
async function chooseVersions(present, roll) {
    if (!roll)
        return { code: present };
    releasedCode ??= loadNewestRelease();
    const released = await releasedCode;
    return roll === 'forward' ? { code: released, next: present } : { code: present, next: released };
}
async function loadNewestRelease() {
    const newest = (await readReleases()).at(-1);
    if (!newest)
        throw new Error('expected a release in fixtures/releases; got none');
    return compileFunctionCode(newest.functions);
}

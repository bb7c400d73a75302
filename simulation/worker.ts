import { parentPort } from 'node:worker_threads';
import { type Code, loadCode } from './code.ts';
import { doJob, type Job } from './jobs.ts';
import { preparePlanting } from './mutation.ts';
import { plantedBugs } from './planted-bugs.ts';

preparePlanting(plantedBugs);
const codes = new Map<string | undefined, Promise<Code>>();

parentPort?.on('message', async (job: Job) => {
  try {
    parentPort?.postMessage({ result: await doJob(job, await findCode(job.bug)) });
  } catch (error) {
    const text = error instanceof Error ? error.stack : String(error);
    parentPort?.postMessage({ error: `seed ${job.seed}: ${text}` });
  }
});

function findCode(bug: string | undefined): Promise<Code> {
  let code = codes.get(bug);
  if (!code) {
    code = prepareCode(bug);
    codes.set(bug, code);
  }
  return code;
}

// What the SDK reads once for all, such as files that are not there, it reads in a first world.
async function prepareCode(bug: string | undefined): Promise<Code> {
  const code = await loadCode(bug);
  await doJob({ seed: 0, options: { maxClicks: 10 } }, code);
  return code;
}

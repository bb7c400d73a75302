import { parentPort } from 'node:worker_threads';
import { type Code, loadCode } from './code.ts';
import { deliveries, explore } from './exhaustive.ts';
import { doJob } from './jobs.ts';
import { runMalformed } from './malformed.ts';
import { preparePlanting } from './mutation.ts';
import { plantedBugs } from './planted-bugs.ts';
import type { Request } from './pool.ts';

preparePlanting(plantedBugs);
const codes = new Map<string | undefined, Promise<Code>>();

parentPort?.on('message', async (request: Request) => {
  try {
    parentPort?.postMessage({ result: await handle(request) });
  } catch (error) {
    const text = error instanceof Error ? error.stack : String(error);
    parentPort?.postMessage({ error: `${JSON.stringify(request)}: ${text}` });
  }
});

async function handle(request: Request) {
  const code = await findCode(request.bug);
  if ('malformed' in request) return runMalformed(request.seed, request.malformed, code);
  if (!('delivery' in request)) return doJob(request, code);
  const delivery = deliveries[request.delivery];
  if (!delivery) throw new Error(`expected a delivery; got ${request.delivery}`);
  return explore(delivery, code);
}

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

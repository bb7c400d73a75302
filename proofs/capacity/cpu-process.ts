// Runs the packaged aggregator in a process of its own, as Lambda would, and reports the CPU time
// that it takes. The endpoint of DynamoDB is another process, whose time does not count.

import { makeContext } from '../../fixtures/lambda-context.ts';
import { createRandom } from '../../fixtures/random.ts';
import { makeBatch } from '../../fixtures/sqs-events.ts';
import { makeClickBody } from '../tools/click-body.ts';
import { createStageIds } from '../tools/click-ids.ts';
import {
  type ProcessReport,
  repetitionsOf,
  type Sample,
  totalsPath,
  type Workload,
  workloads,
} from './cpu-workload.ts';
import { runReference } from './reference.ts';

const [bundle = ''] = process.argv.slice(2);
const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '';
const invocationTimeoutMs = 900_000;
const measuredPasses = 3;

interface Source {
  workload: Workload;
  codes: string[];
  mintId: (code: string) => string;
}

const startMs = readCpuMs();
const { handler } = await import(bundle);
const initMs = readCpuMs() - startMs;

const sources = createSources();
// The first pass warms up: V8 compiles the functions that are used much.
for (const source of sources) await measure(source);
const samples: Sample[] = [];
for (let pass = 0; pass < measuredPasses; pass++) {
  for (const source of sources) samples.push(await measure(source));
}
const report: ProcessReport = { initMs, samples };
process.send?.(report, () => process.disconnect());

// Workloads that differ only in their batches share the environments that mint their ids.
function createSources(): Source[] {
  const sources = new Map<string, Omit<Source, 'workload'>>();
  return workloads.map((workload) => {
    const name = `${workload.environments}/${workload.links}`;
    const source = sources.get(name) ?? createSource(workload);
    sources.set(name, source);
    return { workload, ...source };
  });
}

function createSource({ links, environments }: Workload): Omit<Source, 'workload'> {
  const codes = Array.from({ length: links }, (_, link) => `link-${link}`);
  if (environments === null) return { codes, mintId: () => crypto.randomUUID() };
  return { codes, mintId: createStageIds(environments, codes, createRandom(1, 'ids')) };
}

async function measure({ workload, codes, mintId }: Source): Promise<Sample> {
  const repetitions = repetitionsOf(workload);
  const events = Array.from({ length: repetitions }, () => makeEvent(workload, codes, mintId));
  await readTotals();
  const referenceMs = measureCpuMs(runReference);
  const startMs = readCpuMs();
  for (const event of events) await invoke(event);
  const cpuMs = (readCpuMs() - startMs) / repetitions;
  const { transactions, items } = await readTotals();
  return {
    ...workload,
    transactions: transactions / repetitions,
    items: items / repetitions,
    ...{ cpuMs, referenceMs },
  };
}

// As Lambda's runtime gets it: as text.
function makeEvent(
  { clicks }: Workload,
  codes: readonly string[],
  mintId: (code: string) => string,
): string {
  const bodies = Array.from({ length: clicks }, (_, n) => {
    const code = codes[n % codes.length] ?? '';
    return makeClickBody(n, code, mintId(code));
  });
  return JSON.stringify(makeBatch(bodies));
}

async function invoke(event: string): Promise<void> {
  const answer = await handler(JSON.parse(event), makeContext(invocationTimeoutMs));
  const { batchItemFailures } = answer;
  if (batchItemFailures.length === 0) return;
  throw new Error(`Expected every click to count; ${batchItemFailures.length} failed.`);
}

async function readTotals(): Promise<{ transactions: number; items: number }> {
  const response = await fetch(`${endpoint}${totalsPath}`);
  return (await response.json()) as { transactions: number; items: number };
}

function measureCpuMs(run: () => void): number {
  const startMs = readCpuMs();
  run();
  return readCpuMs() - startMs;
}

function readCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

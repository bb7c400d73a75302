import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { print } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { loadPackagedService } from '../../fixtures/packaged-service.ts';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import { writeParts } from '../tools/page-part.ts';
import { renderApproaches } from './approaches-table.ts';
import type { BenchMessage, BenchPlan, Measurement } from './measure.ts';

interface Options {
  quick?: boolean;
  write?: boolean;
}

const description =
  'Measure eight approaches on one engine, in batches of 1 and 100: write units, requests, speed, ' +
  'latency and exactness of the counts.';

await runProgram(
  createProgram('bench', description, 'proofs')
    .option('--quick', 'fewer rounds, in about a minute')
    .option('--write', 'write the tables of docs/costs-and-speed.md')
    .action((options: Options) => runInterruptibly((signal) => bench(options, signal))),
);

async function bench({ quick, write }: Options, signal: AbortSignal): Promise<void> {
  const { template, environment } = await loadPackagedService();
  await using engine = await startEngine();
  const plan = {
    ...{ endpoint: engine.endpoint, template, rounds: quick ? 3 : 9 },
    scenarios: [1, 100].flatMap((batch) => [1, 20, 100].map((links) => ({ links, batch }))),
  };
  const measurements = await measure(plan, environment, signal);
  const single = renderApproaches(measurements, 1);
  const approaches = renderApproaches(measurements, 100);
  print(`${single}\n\n${approaches}\n`);
  if (write) await writeParts('costs-and-speed.md', 'bench -- --write', { approaches, single });
}

async function startEngine() {
  const { endpoint, stop } = await startDynamoDb();
  return { endpoint, [Symbol.asyncDispose]: stop };
}

/** Measures in a separate process without output, so that metrics cost as little as in Lambda. */
async function measure(
  plan: BenchPlan,
  environment: Record<string, string>,
  signal: AbortSignal,
): Promise<Measurement[]> {
  const child = fork(path.join(import.meta.dirname, 'measure.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...environment, TABLE_NAME: 'click-tally-bench' },
    // Its own process group, so that Ctrl-C reaches only this process, which then ends the other.
    detached: true,
    signal,
  });
  const progress = createProgress(plan.scenarios.length * plan.rounds, 'rounds');
  const measurements: Measurement[] = [];
  child.on('message', (message: BenchMessage) => {
    if (message === 'round') progress.add();
    else measurements.push(...message);
  });
  child.send(plan);
  try {
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`The measuring process exited with code ${code}.`);
    return measurements;
  } finally {
    progress.end();
  }
}

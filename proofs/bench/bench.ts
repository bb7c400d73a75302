import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Option } from 'commander';
import { CommandError } from '../../cli/terminal/command-error.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { loadPackagedService, type PackagedService } from '../../fixtures/packaged-service.ts';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import { writeParts } from '../tools/page-part.ts';
import { renderParts, renderResult } from './bench-tables.ts';
import {
  type BenchMessage,
  type BenchPlan,
  type BenchResult,
  planScenarios,
} from './measurement.ts';

interface Options {
  quick?: boolean;
  json?: string;
  write?: boolean;
}

const description =
  'Measure eight approaches on one engine: write units, requests, speed, latency, exactness of the ' +
  "counts, and the size of click-tally's markers. Takes several minutes.";

await runProgram(
  createProgram('bench', description, 'proofs')
    .option('--json <file>', 'also write the measurements to this file, for bench:chart')
    .option('--quick', 'only batches of 1 and 100, in about a minute')
    .addOption(new Option('--write', 'write the tables of docs/performance.md').conflicts('quick'))
    .action((options: Options) => runInterruptibly((signal) => bench(options, signal))),
);

async function bench({ quick = false, json, write }: Options, signal: AbortSignal): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const service = await loadPackagedService();
  const { endpoint, stop } = await startDynamoDb();
  cleanup.defer(stop);
  const plan = { scenarios: planScenarios(quick), rounds: quick ? 4 : 9, endpoint };
  const result = await measure(plan, service, signal);
  console.log(renderResult(result));
  if (json) await writeFile(json, `${JSON.stringify(result, null, 2)}\n`);
  if (write) await writeParts('performance.md', 'bench -- --write', renderParts(result));
}

/** Measures in a separate process without output, so that metrics cost as little as in Lambda. */
async function measure(
  plan: BenchPlan,
  { template, environment }: PackagedService,
  signal: AbortSignal,
): Promise<BenchResult> {
  const child = fork(path.join(import.meta.dirname, 'measure.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...environment, TABLE_NAME: 'click-tally-bench' },
    // Its own process group, so that Ctrl-C reaches only this process, which then ends the other.
    detached: true,
    signal,
  });
  const progress = createProgress(plan.scenarios.length * plan.rounds, 'rounds');
  let result: BenchResult = { measurements: [], storage: [] };
  let slowdown: string | undefined;
  child.on('message', (message: BenchMessage) => {
    if (message.type === 'measured') result = message.result;
    else if (message.type === 'slowed') slowdown = message.slowdown;
    else {
      progress.add();
      progress.note(`${message.scenario.links} links, batches of ${message.scenario.batch}`);
    }
  });
  child.send({ plan, template });
  try {
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`The measuring process exited with code ${code}.`);
    if (slowdown) throw new CommandError(slowdown);
    return result;
  } finally {
    progress.end();
  }
}

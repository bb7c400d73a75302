import { fork } from 'node:child_process';
import { once } from 'node:events';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { localClientConfig } from '../../cli/local-aws.ts';
import { CommandError } from '../../cli/terminal/command-error.ts';
import { printLine } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { loadPackagedService } from '../../fixtures/packaged-service.ts';
import { createTable } from '../../local/engines/create-table.ts';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';
import type { Template } from '../../local/engines/template.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import { createRunner, runBatch } from './runner.ts';

const description =
  "Check that the local stack's table stays fast: counts 50,000 clicks as npm start does.";

const clicks = 50_000;
/** The local stack's. */
const batch = 10;
/** The clicks that are timed, after as many for warming up and before the end. */
const timed = 500;
const maxSlowdown = 2;
const tableName = 'click-tally-stream';

interface Start {
  endpoint: string;
  template: Template;
}

// The aggregator logs each batch, so it runs in a process of its own without output.
if (process.send) process.once('message', measure);
else {
  await runProgram(
    createProgram('bench:stream', description, 'proofs').action(() => runInterruptibly(check)),
  );
}

async function check(signal: AbortSignal): Promise<void> {
  const { template, environment } = await loadPackagedService();
  const engine = await startDynamoDb({ isLongLived: true });
  await using _ = { [Symbol.asyncDispose]: engine.stop };
  const child = fork(import.meta.filename, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...environment, TABLE_NAME: tableName },
    signal,
  });
  let times: number[] = [];
  child.on('message', (message) => {
    times = message as number[];
  });
  child.send({ endpoint: engine.endpoint, template } satisfies Start);
  const [code] = await once(child, 'exit');
  const [firstMs = Number.NaN, lastMs = Number.NaN] = times;
  if (code !== 0) throw new Error(`The measuring process exited with code ${code}.`);
  const slowdown = lastMs / firstMs;
  printLine(
    `with ${2 * timed} clicks counted: ${firstMs.toFixed(2)} ms a click; with ${clicks}: ` +
      `${lastMs.toFixed(2)} ms, ${slowdown.toFixed(2)} times as long`,
  );
  if (slowdown <= maxSlowdown) return;
  throw new CommandError(
    `expected at most ${maxSlowdown} times as long; got ${slowdown.toFixed(2)}`,
  );
}

async function measure({ endpoint, template }: Start): Promise<void> {
  await createTable(new DynamoDBClient(localClientConfig(endpoint)), template, tableName);
  const codes = Array.from({ length: 20 }, (_, index) => `link-${index}`);
  const contender = { approach: 'click-tally', environments: 1 } as const;
  const runner = await createRunner(contender, { endpoint, tableName, codes });
  const count = async (until: number) => {
    const [from, startMs] = [runner.sentIds.length, performance.now()];
    while (runner.sentIds.length < until) await runBatch(runner, batch);
    return (performance.now() - startMs) / (until - from);
  };
  await count(timed);
  const firstMs = await count(2 * timed);
  await count(clicks - timed);
  process.send?.([firstMs, await count(clicks)], () => process.disconnect());
}

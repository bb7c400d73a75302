import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { localClientConfig } from '../../cli/local-aws.ts';
import { parseAmount } from '../../cli/terminal/arguments.ts';
import { printLine } from '../../cli/terminal/print.ts';
import { createProgram, exitCodes, runProgram } from '../../cli/terminal/program.ts';
import { pollUntil } from '../../local/engines/poll-until.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import { createServiceClient } from '../../local/service-client.ts';
import { type LocalStack, startStack } from '../../local/stack/stack.ts';
import { type AuditResult, audit } from './audit.ts';
import { judgeMemory, plot, watchMemory } from './memory.ts';
import { findWorkers } from './process-tree.ts';
import { type SentTraffic, startTraffic } from './traffic.ts';

const linkCount = 10;
const trafficIntervalMs = 100;
const killIntervalMs = 20_000;
const memoryIntervalMs = 1_000;
const drainTimeoutMs = 10 * 60_000;
const shownViolations = 20;

const description =
  'Send traffic to the local stack. Kill its function workers in the first half of the time, and ' +
  'watch their memory in the second half. Then audit every click. Linux only. Exits with 1 if a ' +
  'count is wrong or the memory grows.';

await runProgram(
  createProgram('soak', description, 'proofs')
    .option('--minutes <n>', 'duration of the traffic', parseAmount, 3)
    .action(({ minutes }: { minutes: number }) =>
      runInterruptibly((signal, keepPrograms) => soak(minutes * 60_000, signal, keepPrograms)),
    ),
);

async function soak(
  durationMs: number,
  signal: AbortSignal,
  keepPrograms: () => void,
): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const { outputs, restartFunctions, stop } = await startStack({
    onProgress: (text) => console.log(text),
    onError: ({ message }) => printLine(`  ${message}`),
  });
  cleanup.defer(stop);
  keepPrograms();
  signal.throwIfAborted();
  const dynamodb = new DynamoDBClient(localClientConfig(outputs.dynamodbEndpoint));
  cleanup.defer(() => dynamodb.destroy());
  const sqs = new SQSClient(localClientConfig(outputs.sqsEndpoint));
  cleanup.defer(() => sqs.destroy());
  const service = createServiceClient({ ...outputs, dynamodb, sqs });
  const codes = await Promise.all(Array.from({ length: linkCount }, () => service.createLink()));

  const traffic = startTraffic(outputs, codes, trafficIntervalMs);
  cleanup.defer(traffic.stop);
  await killWorkers(restartFunctions, durationMs / 2, signal);
  const memory = await recordMemory(durationMs / 2, signal);
  await traffic.stop();
  console.log(describeTraffic(traffic.sent));

  console.log('waiting for the queue to drain');
  const isDrained = async () => signal.aborted || (await service.countWaiting()) === 0;
  await pollUntil(isDrained, { timeoutMs: drainTimeoutMs });
  signal.throwIfAborted();
  report(await audit(outputs, traffic.sent), memory);
}

/** Alternates between SIGKILL, as in a crash, and a restart, as in a deployment. */
async function killWorkers(
  restartFunctions: LocalStack['restartFunctions'],
  forMs: number,
  signal: AbortSignal,
): Promise<void> {
  const endMs = Date.now() + forMs;
  for (let round = 0; Date.now() + killIntervalMs < endMs; round++) {
    await pause(killIntervalMs, undefined, { signal });
    if (round % 2 === 1) {
      console.log('restarting the functions');
      await restartFunctions();
      continue;
    }
    for (const { pid } of findWorkers()) {
      console.log(`killing function worker ${pid}`);
      process.kill(pid, 'SIGKILL');
    }
  }
}

async function recordMemory(forMs: number, signal: AbortSignal): Promise<number[]> {
  const memory = watchMemory(memoryIntervalMs);
  try {
    await pause(forMs, undefined, { signal });
    return memory.samples;
  } finally {
    memory.stop();
  }
}

function describeTraffic({ clicks, poison, duplicates, visits }: SentTraffic): string {
  const redirects = [...visits.values()].reduce((sum, { redirected }) => sum + redirected, 0);
  return `sent: ${clicks.size} clicks, ${duplicates} duplicates, ${poison.size} invalid clicks, ${redirects} visits`;
}

function report({ counted, deadLetters, violations }: AuditResult, memory: number[]): void {
  console.log(
    `counted: ${counted}, dead letters: ${deadLetters}, violations: ${violations.length}`,
  );
  for (const violation of violations.slice(0, shownViolations)) printLine(`  ${violation}`);
  console.log(`memory of the function workers: ${plot(memory)}`);
  const complaint = judgeMemory(memory);
  if (complaint) console.log(complaint);
  if (violations.length > 0 || complaint) process.exitCode = exitCodes.failure;
}

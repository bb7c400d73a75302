import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { styleText } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createNarrator } from './demo/narrator.ts';
import { openThreeTimes, recount, sendPoison, sendTwice } from './demo/real-tests.ts';
import { localClientConfig } from './engines/aws.ts';
import { endAllChildren } from './engines/child-process.ts';
import { createServiceClient } from './service-client.ts';
import { summarizeError } from './stack/log-line.ts';
import { type LocalStack, localDir, type StackOutputs, startStack } from './stack/stack.ts';

const pingTimeoutMs = 2_000;
const stackFile = path.resolve(process.env.STACK_FILE || path.join(localDir, 'stack.json'));
let starting: Promise<LocalStack> | undefined;
let isStarted = false;
let isStopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(130));

try {
  const outputs = (await findRunningStack()) ?? (await startOwnStack());
  await stop((await play(outputs)) ? 0 : 1);
} catch (error) {
  if (!isStopping) {
    console.error(error instanceof Error ? error.message : error);
    await stop(1);
  }
}

async function play(outputs: StackOutputs): Promise<boolean> {
  const narrator = createNarrator();
  const service = createServiceClient({
    ...outputs,
    dynamodb: new DynamoDBClient(localClientConfig(outputs.dynamodbEndpoint)),
    sqs: new SQSClient(localClientConfig(outputs.sqsEndpoint)),
  });
  const code = await openThreeTimes(service, narrator);
  await sendTwice(service, narrator, code);
  await sendPoison(service, narrator, code);
  await recount(service, narrator, code);
  const { checks, failures } = narrator.results();
  const result =
    failures === 0
      ? `All ${checks} checks are right.`
      : `${failures} of ${checks} checks are wrong.`;
  console.log(`\n${styleText(['bold', failures === 0 ? 'green' : 'red'], result)}`);
  return failures === 0;
}

/** What `npm start` has written, if its API answers. */
async function findRunningStack(): Promise<StackOutputs | undefined> {
  try {
    const outputs: StackOutputs = JSON.parse(await readFile(stackFile, 'utf8'));
    await fetch(outputs.api, { signal: AbortSignal.timeout(pingTimeoutMs) });
    console.log(`Playing on the stack that runs at ${outputs.api}.`);
    return outputs;
  } catch {
    return undefined;
  }
}

async function startOwnStack(): Promise<StackOutputs> {
  console.log('No stack runs, so one is started for this demo …');
  starting = startStack({ onLog, onError: report });
  const { outputs } = await starting;
  isStarted = true;
  console.log(`It runs at ${outputs.api}.`);
  return outputs;
}

/** Ends what was started here, and then this program. */
async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  if (code === 130) console.log('\nStopping …');
  // A start that is under way fails when its programs end, and cleans up after itself.
  if (!isStarted) await endAllChildren();
  const stack = await starting?.catch(() => undefined);
  await stack?.stop();
  process.exit(code);
}

function onLog(line: string): void {
  const summary = summarizeError(line);
  if (summary) report(summary);
}

function report(error: unknown): void {
  // On a terminal, a progress bar may stand in this line.
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
  console.log(`  ! ${error instanceof Error ? error.message : error}`);
}

import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { localClientConfig } from '../../cli/local-aws.ts';
import { print, printLine } from '../../cli/terminal/print.ts';
import { createProgram, exitCodes, runProgram } from '../../cli/terminal/program.ts';
import { linkKey } from '../../lib/keys.ts';
import { launchBrowser } from '../../local/engines/chromium.ts';
import { pollUntil } from '../../local/engines/poll-until.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import { createServiceClient, type ServiceClient } from '../../local/service-client.ts';
import { type LocalStack, startStack } from '../../local/stack/stack.ts';
import { formatLiveResult, isComplete, measureDelays } from './live-result.ts';
import { openConnection, openScreen } from './live-watchers.ts';

const clicksPerSecond = 20;
const seconds = 30;
const warmUpSeconds = 3;
const connectionCount = 50;
const countTimeoutMs = 5 * 60_000;
// Without a push, the page reads after half a minute.
const pushTimeoutMs = 45_000;

const description = `Measure the live page on the local stack: from a click's GET to the push at each
connection that watches the link, and to the screen of a page in Chromium.

A click is seen when the total first is at least its position in the order of the clicks. Exits with 1
if the last number on the screen or at a connection is not the one in the table; a goal that is missed
is only reported.`;

await runProgram(
  createProgram('bench:live', description, 'proofs').action(() =>
    runInterruptibly((signal, keepPrograms) => benchLive(signal, keepPrograms)),
  ),
);

async function benchLive(signal: AbortSignal, keepPrograms: () => void): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const stack = await startStack({
    // All connections are the owner's, plus one for the screen.
    params: { connectionsPerUser: connectionCount + 2 },
    onProgress: printLine,
    onError: ({ message }) => printLine(`  ${message}`),
  });
  cleanup.defer(stack.stop);
  keepPrograms();
  const service = createService(stack, cleanup);
  await warmUp(stack, service, signal);
  const { api, liveUrl } = stack.outputs;
  const code = await service.createLink();
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());
  const screen = await openScreen(browser, api, code);
  const connections: Awaited<ReturnType<typeof openConnection>>[] = [];
  while (connections.length < connectionCount) {
    connections.push(cleanup.use(await openConnection(liveUrl, code, await stack.issueToken())));
  }
  printLine(`${connectionCount} connections watch; clicking for ${seconds} seconds`);
  const startsMs = await sendClicks(service, code, seconds, signal);
  const readNumbers = async () => ({
    clicks: startsMs.length,
    stored: await readStored(service, code),
    onScreen: (await screen.readSightings()).at(-1)?.clicks ?? 0,
    atConnections: connections.map(({ sightings }) => sightings.at(-1)?.clicks ?? 0),
  });
  const isStored = async () => (await readStored(service, code)) === startsMs.length;
  // After a timeout, the result is incomplete.
  await pollUntil(isStored, { timeoutMs: countTimeoutMs }).catch(() => undefined);
  const isSeen = async () => isComplete(await readNumbers());
  await pollUntil(isSeen, { timeoutMs: pushTimeoutMs }).catch(() => undefined);
  signal.throwIfAborted();
  const result = {
    ...(await readNumbers()),
    clicksPerSecond,
    toConnections: connections.flatMap(({ sightings }) => measureDelays(startsMs, sightings)),
    toScreen: measureDelays(startsMs, await screen.readSightings()),
  };
  print(`${formatLiveResult(result)}\n`);
  if (!isComplete(result)) process.exitCode = exitCodes.failure;
}

function createService({ outputs }: LocalStack, cleanup: AsyncDisposableStack): ServiceClient {
  const dynamodb = new DynamoDBClient(localClientConfig(outputs.dynamodbEndpoint));
  cleanup.defer(() => dynamodb.destroy());
  const sqs = new SQSClient(localClientConfig(outputs.sqsEndpoint));
  cleanup.defer(() => sqs.destroy());
  return createServiceClient({ ...outputs, dynamodb, sqs });
}

/** Starts every function that the measurement needs. */
async function warmUp(
  { outputs, issueToken }: LocalStack,
  service: ServiceClient,
  signal: AbortSignal,
): Promise<void> {
  printLine('warming up');
  const code = await service.createLink();
  using connection = await openConnection(outputs.liveUrl, code, await issueToken());
  const { length } = await sendClicks(service, code, warmUpSeconds, signal);
  const isSeen = async () => signal.aborted || connection.sightings.at(-1)?.clicks === length;
  await pollUntil(isSeen, { timeoutMs: countTimeoutMs });
}

/**
 * Opens the link at an even rate, without waiting for answers. Returns the start of each GET, in epoch
 * milliseconds.
 * @throws {Error} if one is not redirected, because it would not count.
 */
async function sendClicks(
  service: ServiceClient,
  code: string,
  forSeconds: number,
  signal: AbortSignal,
): Promise<number[]> {
  const count = Math.round(clicksPerSecond * forSeconds);
  const beginMs = Date.now();
  const answers: ReturnType<ServiceClient['openLink']>[] = [];
  const startsMs: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const dueMs = beginMs + (index * 1_000) / clicksPerSecond;
    await pause(Math.max(0, dueMs - Date.now()), undefined, { signal });
    startsMs.push(Date.now());
    answers.push(service.openLink(code));
  }
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  const failed = statuses.find((status) => status !== 302);
  if (failed === undefined) return startsMs;
  throw new Error(`Expected ${code} to answer 302; got ${failed}.`);
}

async function readStored(service: ServiceClient, code: string): Promise<number> {
  const { PK, SK } = linkKey(code);
  return Number((await service.readItem(PK, SK))?.clicks ?? 0);
}

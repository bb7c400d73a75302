import { writeFile } from 'node:fs/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { localClientConfig } from '../../cli/local-aws.ts';
import { parseAmount, parseCount } from '../../cli/terminal/arguments.ts';
import { printLine } from '../../cli/terminal/print.ts';
import { createProgram, exitCodes, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { linkKey } from '../../lib/keys.ts';
import { launchBrowser } from '../../local/engines/chromium.ts';
import { pollUntil } from '../../local/engines/poll-until.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import { createServiceClient, type ServiceClient } from '../../local/service-client.ts';
import { type LocalStack, startStack } from '../../local/stack/stack.ts';
import { sendClicks } from './live/clicks.ts';
import { measureDelays } from './live/delays.ts';
import {
  formatLiveResult,
  goalP95Ms,
  isComplete,
  type LiveResult,
  summarizeDelays,
} from './live/live-result.ts';
import { openScreen, type Screen } from './live/screen.ts';
import { type Connection, openConnections } from './live/watchers.ts';

interface Options {
  connections: number;
  rate: number;
  seconds: number;
  json?: string;
}

interface Bench {
  service: ServiceClient;
  code: string;
  url: string;
  connections: Connection[];
  screen: Screen;
}

const warmUpSeconds = 3;
const countTimeoutMs = 5 * 60_000;
// Without a push, the page reads after half a minute.
const pushTimeoutMs = 45_000;

const description = `Measure the live page on the local stack: from a click's GET to the push at each
connection that watches the link, and to the screen of a page in Chromium.

The clicks go through the resolver, after some on another link that start every function. A click is seen when the total first is at least its position in
the order of the clicks. Exits with 1 if the last number on the screen or at a connection is not the
one in the table; a goal that is missed is only reported.`;

await runProgram(
  createProgram('bench:live', description, 'proofs')
    .option('--connections <n>', 'number of connections that watch the link', parseCount, 50)
    .option('--rate <n>', 'clicks per second', parseAmount, 20)
    .option('--seconds <n>', 'duration of the clicks', parseAmount, 30)
    .option('--json <file>', 'also write the result to this file')
    .action((options: Options) =>
      runInterruptibly((signal, keepPrograms) => benchLive(options, signal, keepPrograms)),
    ),
);

async function benchLive(
  options: Options,
  signal: AbortSignal,
  keepPrograms: () => void,
): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const stack = await startStack({
    // All connections are the owner's, plus one for the screen.
    params: { connectionsPerUser: options.connections + 2 },
    onProgress: (text) => console.log(text),
    onError: ({ message }) => printLine(`  ${message}`),
  });
  cleanup.defer(stack.stop);
  keepPrograms();
  signal.throwIfAborted();
  const service = createService(stack, cleanup);
  await warmUp(stack, service, options, signal);
  const bench = await prepare(stack, service, options, cleanup);
  signal.throwIfAborted();
  const startsMs = await click(bench, options, signal);
  await untilEverybodyHasSeen(bench, startsMs.length, signal);
  const result = await collect(bench, options, startsMs);
  console.log(formatLiveResult(result));
  if (options.json) await writeFile(options.json, `${JSON.stringify(result, null, 2)}\n`);
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
  { rate }: Options,
  signal: AbortSignal,
): Promise<void> {
  console.log('warming up');
  const code = await service.createLink();
  const { liveUrl, api } = outputs;
  const [connection] = await openConnections(1, { liveUrl, code, issueToken }, () => undefined);
  using _ = connection;
  const plan = { url: `${api}/${code}`, clicksPerSecond: rate, seconds: warmUpSeconds };
  const { length } = await sendClicks(plan, () => undefined, signal);
  const isSeen = async () => signal.aborted || connection?.sightings.at(-1)?.clicks === length;
  await pollUntil(isSeen, { timeoutMs: countTimeoutMs });
}

async function prepare(
  { outputs, issueToken }: LocalStack,
  service: ServiceClient,
  options: Options,
  cleanup: AsyncDisposableStack,
): Promise<Bench> {
  const { api, liveUrl } = outputs;
  const code = await service.createLink();
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());
  const screen = await openScreen(browser, api, code);
  const progress = createProgress(options.connections, 'connections');
  const connectionOptions = { liveUrl, code, issueToken };
  const connections = await openConnections(options.connections, connectionOptions, () =>
    progress.add(),
  ).finally(() => progress.end());
  for (const connection of connections) cleanup.use(connection);
  return { service, code, url: `${api}/${code}`, connections, screen };
}

async function click(
  { url }: Bench,
  { rate, seconds }: Options,
  signal: AbortSignal,
): Promise<number[]> {
  const progress = createProgress(Math.round(rate * seconds), 'clicks');
  const plan = { url, clicksPerSecond: rate, seconds };
  return await sendClicks(plan, () => progress.add(), signal).finally(() => progress.end());
}

/** Also returns after a timeout, and then the result is incomplete. */
async function untilEverybodyHasSeen(bench: Bench, clicks: number, signal: AbortSignal) {
  const isStored = async () => signal.aborted || (await readStored(bench)) === clicks;
  await pollUntil(isStored, { timeoutMs: countTimeoutMs }).catch(() => undefined);
  const isSeen = async () => {
    const seen = [await readScreen(bench), ...readConnections(bench)];
    return signal.aborted || seen.every((number) => number === clicks);
  };
  await pollUntil(isSeen, { timeoutMs: pushTimeoutMs }).catch(() => undefined);
  signal.throwIfAborted();
}

async function collect(
  bench: Bench,
  { rate, connections }: Options,
  startsMs: number[],
): Promise<LiveResult> {
  const toConnection = summarizeDelays(
    bench.connections.flatMap(({ sightings }) => measureDelays(startsMs, sightings)),
  );
  const toScreen = summarizeDelays(measureDelays(startsMs, await bench.screen.readSightings()));
  return {
    clicks: startsMs.length,
    clicksPerSecond: rate,
    connections,
    toConnection,
    toScreen,
    isGoalMet: Math.max(toConnection.p95Ms, toScreen.p95Ms) < goalP95Ms,
    stored: await readStored(bench),
    onScreen: await readScreen(bench),
    atConnections: readConnections(bench),
  };
}

async function readStored({ service, code }: Bench): Promise<number> {
  const { PK, SK } = linkKey(code);
  const item = await service.readItem(PK, SK);
  return Number(item?.clicks ?? 0);
}

async function readScreen({ screen }: Bench): Promise<number> {
  return (await screen.readSightings()).at(-1)?.clicks ?? 0;
}

function readConnections({ connections }: Bench): number[] {
  return connections.map(({ sightings }) => sightings.at(-1)?.clicks ?? 0);
}

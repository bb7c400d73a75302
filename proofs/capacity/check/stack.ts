import { setTimeout as pause } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { chunk } from '../../../cli/queue.ts';
import { findFailedIds } from '../../../local/engines/batch-response.ts';
import { waitUntil } from '../../../local/engines/wait-until.ts';
import { type LocalStack, startStack } from '../../../local/stack/stack.ts';
import { percentile } from '../../tools/percentile.ts';
import type { ClickMessage } from '../click-source.ts';
import { startMs } from '../world.ts';
import { createLinks, readClick } from './links.ts';
import { type MeteredEngine, startMeteredEngine } from './metered-engine.ts';
import type { Count } from './observed.ts';

/** The messages that the model counted in one traffic, oldest first. */
export type Recording = readonly ClickMessage[];

/** PutEvents takes no more. */
const maxEntries = 10;
const drainTimeoutMs = 60_000;

/** An invocation of the aggregator. */
interface Invocation {
  batch: ClickMessage[];
  /** The ids of its clicks that were counted. */
  counted: string[];
  tookMs: number;
  endMs: number;
}

interface Stack extends LocalStack {
  engine: MeteredEngine;
  invocations: Invocation[];
}

/**
 * Starts the whole local stack, sends it the clicks of each recording at the times of the
 * recording, and says what it took to count them.
 * @throws {Error} if a click is not counted in time.
 */
export async function countOnStack(
  recordings: readonly Recording[],
  signal: AbortSignal,
  onCounted: () => void,
): Promise<Count[]> {
  await using cleanup = new AsyncDisposableStack();
  const stack = await startMeteredStack(cleanup);
  const { url } = stack.engine;
  await createLinks(url, stack.outputs.tableName, recordings.flat());
  const runs: Count[] = [];
  for (const recording of recordings) {
    runs.push(await count(recording, stack, signal));
    onCounted();
  }
  return runs;
}

async function startMeteredStack(cleanup: AsyncDisposableStack): Promise<Stack> {
  const engine = await startMeteredEngine();
  cleanup.defer(engine.stop);
  const invocations: Invocation[] = [];
  const stack = await withEndpoint(engine.url, () =>
    startStack({
      wrapInvoke: (invoke) => async (name, event) => {
        const beginMs = Date.now();
        const answer = await invoke(name, event);
        if (name.endsWith('aggregate-clicks')) {
          invocations.push(describe(event as SQSEvent, answer, beginMs));
        }
        return answer;
      },
    }),
  );
  cleanup.defer(stack.stop);
  return { ...stack, engine, invocations };
}

/** The stack uses an engine that already runs if the environment names it. */
async function withEndpoint<T>(endpoint: string, start: () => Promise<T>): Promise<T> {
  const before = process.env.DYNAMODB_ENDPOINT;
  process.env.DYNAMODB_ENDPOINT = endpoint;
  try {
    return await start();
  } finally {
    if (before === undefined) delete process.env.DYNAMODB_ENDPOINT;
    else process.env.DYNAMODB_ENDPOINT = before;
  }
}

function describe({ Records }: SQSEvent, answer: string, beginMs: number): Invocation {
  const ids = Records.map(({ messageId }) => messageId);
  const failed = findFailedIds(answer, ids);
  const counted = Records.filter(({ messageId }) => !failed.has(messageId));
  return {
    batch: Records.map(toMessage),
    counted: counted.map((record) => readClick(record).clickId),
    ...{ tookMs: Date.now() - beginMs, endMs: Date.now() },
  };
}

function toMessage({ messageId: id, body, attributes }: SQSRecord): ClickMessage {
  return { id, body, sentMs: Number(attributes.SentTimestamp), receiveCount: 1 };
}

async function count(recording: Recording, stack: Stack, signal: AbortSignal): Promise<Count> {
  const { engine, invocations } = stack;
  const before = { ...engine.totals };
  invocations.length = 0;
  const sentMs = await send(recording, stack, signal);
  const countedCount = () => invocations.reduce((sum, { counted }) => sum + counted.length, 0);
  await waitUntil(async () => signal.aborted || countedCount() >= recording.length, {
    timeoutMs: drainTimeoutMs,
  });
  signal.throwIfAborted();
  const lags = invocations.flatMap(({ counted, endMs }) =>
    counted.map((clickId) => endMs - (sentMs.get(clickId) ?? Number.NaN)),
  );
  const since = (name: keyof typeof before) => engine.totals[name] - before[name];
  const observed = {
    ...{ clicks: countedCount(), batches: invocations.length },
    transactions: since('transactions'),
    writeUnits: since('writeUnits'),
    conflicts: since('conflicts'),
    invocationMs: invocations.reduce((sum, { tookMs }) => sum + tookMs, 0) / invocations.length,
    lagMs: { p50: percentile(lags, 0.5), p99: percentile(lags, 0.99) },
  };
  return { observed, batches: invocations.map(({ batch }) => batch) };
}

/** Puts the clicks on the bus when they are due; returns when each was sent, by its id. */
async function send(
  recording: Recording,
  { outputs }: LocalStack,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const bus = new EventBridgeClient(localClientConfig(outputs.eventsEndpoint));
  const beginMs = Date.now();
  const sentMs = new Map<string, number>();
  const sending: Promise<unknown>[] = [];
  for (const [atMs, messages] of Map.groupBy(recording, (message) => message.sentMs)) {
    const waitMs = beginMs + (atMs - startMs) - Date.now();
    if (waitMs > 0) await pause(waitMs, undefined, { signal });
    for (const some of chunk(messages, maxEntries)) {
      for (const message of some) sentMs.set(readClick(message).clickId, Date.now());
      const Entries = some.map((message) => toEntry(message, outputs.busName));
      sending.push(bus.send(new PutEventsCommand({ Entries })));
    }
  }
  await Promise.all(sending);
  bus.destroy();
  return sentMs;
}

function toEntry({ body }: ClickMessage, EventBusName: string) {
  const { source: Source, 'detail-type': DetailType, detail } = JSON.parse(body);
  return { EventBusName, Source, DetailType, Detail: JSON.stringify(detail) };
}

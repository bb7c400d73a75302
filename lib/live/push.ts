import { MetricUnit } from '@aws-lambda-powertools/metrics';
import pLimit from 'p-limit';
import type { TableAccess } from '../dynamodb/table.ts';
import { invariant } from '../invariant.ts';
import { logger, metrics } from '../telemetry/powertools.ts';
import { hasConnections, removeConnection } from './connections.ts';
import type { CountsMessage, LinkCounts } from './messages.ts';
import { findWatchers } from './watches.ts';
import type { ConnectionsApi } from './web-socket.ts';

// API Gateway accepts frames of at most 32 KB.
const maxBytes = 32_768;
const emptyMessage: CountsMessage = { type: 'counts', links: [] };
const maxLinkBytes = maxBytes - Buffer.byteLength(JSON.stringify(emptyMessage));
/** A day has at most about 4 KB, so six of them easily fit into a message. */
const maxDaysAtOnce = 6;

/** Packs links' numbers into messages within API Gateway's limit. */
export function splitIntoMessages(links: readonly LinkCounts[]): CountsMessage[] {
  const messages: CountsMessage[] = [];
  let bytesLeft = 0;
  for (const link of links.flatMap(splitDays)) {
    const bytes = Buffer.byteLength(JSON.stringify(link)) + 1;
    // API Gateway would close the connection, again and again.
    invariant(bytes <= maxLinkBytes, `a part of at most ${maxLinkBytes} bytes`, bytes);
    if (bytes > bytesLeft) {
      messages.push({ type: 'counts', links: [] });
      bytesLeft = maxLinkBytes;
    }
    messages.at(-1)?.links.push(link);
    bytesLeft -= bytes;
  }
  return messages;
}

function splitDays(link: LinkCounts): LinkCounts[] {
  const { code, days } = link;
  if (days.length <= maxDaysAtOnce) return [link];
  const rest = splitDays({ code, days: days.slice(maxDaysAtOnce) });
  return [{ ...link, days: days.slice(0, maxDaysAtOnce) }, ...rest];
}

/** Timeout for one push, shorter than that of push-counts. */
export const pushTimeoutMs = 10_000;
/** After this time, a push skips the remaining connections. They go first in the next push. */
const sendingMs = 3_000;
/** A connection that takes longer gets the next numbers instead. */
const sendTimeoutMs = 1_000;
const queriesAtOnce = 20;
const sendsAtOnce = 50;

export interface PushTarget {
  table: TableAccess;
  connections: ConnectionsApi;
}

type Counts = ReadonlyMap<string, LinkCounts>;
type PushOutcome = 'pushed' | 'gone' | 'skipped' | Error;

/**
 * Creates a function that sends each connection the new numbers of the links that it watches.
 * Sending is round-robin by user, so unreachable or slow connections don't hold up the others.
 * Later pushes reach skipped connections. Throws if the watchers can't be read.
 */
export function createPush(target: PushTarget): (counts: Counts) => Promise<void> {
  let sends = 0;
  return async (counts) => {
    const table = { ...target.table, abortSignal: AbortSignal.timeout(pushTimeoutMs) };
    const now = Date.now() / 1_000;
    if (!(await hasConnections(table, now))) return;
    const watchers = await collectWatchers(table, [...counts.keys()], now);
    if (watchers.length === 0) return;
    const startedMs = Date.now();
    const outcomes = await pLimit(sendsAtOnce).map(interleaveUsers(watchers, sends), (watcher) => {
      if (Date.now() >= startedMs + sendingMs) return 'skipped';
      sends += 1;
      return pushTo({ ...target, table }, watcher, counts).catch((error: Error) => error);
    });
    report(outcomes);
  };
}

interface Watched {
  connectionId: string;
  owner: string;
  codes: string[];
  hasEnded: boolean;
}

/** The changed links that each connection watches. `now` is in epoch seconds. */
async function collectWatchers(
  table: TableAccess,
  codes: readonly string[],
  now: number,
): Promise<Watched[]> {
  const watchers = new Map<string, Watched>();
  await pLimit(queriesAtOnce).map(codes, async (code) => {
    for (const { connectionId, owner, ttl } of await findWatchers(table, code)) {
      const known = watchers.get(connectionId);
      const watcher = known ?? { connectionId, owner, codes: [], hasEnded: false };
      watcher.codes.push(code);
      watcher.hasEnded ||= ttl <= now;
      watchers.set(connectionId, watcher);
    }
  });
  return [...watchers.values()];
}

/** Orders connections round-robin by user. The first user rotates with the number of sends so far. */
function interleaveUsers(watchers: readonly Watched[], sends: number): Watched[] {
  const first = sends % watchers.length;
  const byOwner = Map.groupBy(
    [...watchers.slice(first), ...watchers.slice(0, first)],
    ({ owner }) => owner,
  );
  const positions = [...byOwner.values()].flatMap((ofOwner) => [...ofOwner.entries()]);
  return positions.toSorted(([a], [b]) => a - b).map(([, watcher]) => watcher);
}

async function pushTo(
  { table, connections }: PushTarget,
  { connectionId, owner, codes, hasEnded }: Watched,
  counts: Counts,
): Promise<PushOutcome> {
  const signals = [AbortSignal.timeout(sendTimeoutMs), table.abortSignal ?? []].flat();
  const abortSignal = AbortSignal.any(signals);
  let isGone = hasEnded;
  for (const message of splitIntoMessages(codes.flatMap((code) => counts.get(code) ?? []))) {
    if (isGone) break;
    isGone = (await connections.send(connectionId, message, abortSignal)) === 'gone';
  }
  if (isGone) await removeConnection(table, connectionId, { owner, codes });
  return isGone ? 'gone' : 'pushed';
}

/** Logs the connections that weren't reached in one line. The next numbers replace theirs. */
function report(outcomes: readonly PushOutcome[]): void {
  const failures = outcomes.filter((outcome) => outcome instanceof Error);
  const skipped = outcomes.filter((outcome) => outcome === 'skipped').length;
  if (failures.length + skipped === 0) return;
  const [error] = failures;
  logger.error('connections not reached', { failures: failures.length, skipped, error });
  if (error) metrics.addMetric('PushFailures', MetricUnit.Count, failures.length);
}

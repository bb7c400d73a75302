import { MetricUnit } from '@aws-lambda-powertools/metrics';
import pLimit from 'p-limit';
import type { TableAccess } from '../links/days.ts';
import { logger, metrics } from '../telemetry/powertools.ts';
import { removeConnection } from './connections.ts';
import type { ConnectionsApi } from './connections-api.ts';
import type { LinkCounts } from './messages.ts';
import { packCounts } from './pack.ts';
import { findWatchers } from './watches.ts';

/** A connection gets new numbers of a link at most this often. */
export const paceMs = 500;
/** How long one push may take: less than push-counts has. */
export const pushTimeoutMs = 10_000;
const queriesAtOnce = 20;
const sendsAtOnce = 50;

/** The clock, in epoch milliseconds. */
export interface Clock {
  now(): number;
  wait(ms: number): Promise<void>;
}

export interface PushTarget {
  table: TableAccess;
  connections: ConnectionsApi;
  clock: Clock;
}

type Outcome = 'pushed' | 'gone' | Error;

/**
 * Sends each connection the new numbers of the links that it watches. A connection that cannot be
 * reached harms no other. If anybody watches, it returns no sooner than {@link paceMs} after it began
 * to send: the next batch of the shard starts only then. Throws if the watchers cannot be read.
 */
export async function pushCounts(
  { clock, ...target }: PushTarget,
  counts: ReadonlyMap<string, LinkCounts>,
): Promise<void> {
  const abortSignal = AbortSignal.timeout(pushTimeoutMs);
  const table = { ...target.table, abortSignal };
  const watchers = await collectWatchers(table, [...counts.keys()], clock.now() / 1_000);
  const startedMs = clock.now();
  const outcomes = await pLimit(sendsAtOnce).map(watchers, ([connectionId, watched]) =>
    pushTo({ ...target, table }, connectionId, watched, counts).catch((error: Error) => error),
  );
  if (outcomes.length === 0) return;
  report(outcomes);
  await clock.wait(Math.max(0, startedMs + paceMs - clock.now()));
}

interface Watched {
  codes: string[];
  hasEnded: boolean;
}

/** The links that each connection watches, among those that changed. `now` is in epoch seconds. */
async function collectWatchers(
  table: TableAccess,
  codes: readonly string[],
  now: number,
): Promise<Map<string, Watched>> {
  const watchers = new Map<string, Watched>();
  await pLimit(queriesAtOnce).map(codes, async (code) => {
    for await (const { connectionId, ttl } of findWatchers(table, code)) {
      const watcher = watchers.get(connectionId) ?? { codes: [], hasEnded: false };
      watcher.codes.push(code);
      watcher.hasEnded ||= ttl <= now;
      watchers.set(connectionId, watcher);
    }
  });
  return watchers;
}

async function pushTo(
  { table, connections }: Omit<PushTarget, 'clock'>,
  connectionId: string,
  { codes, hasEnded }: Watched,
  counts: ReadonlyMap<string, LinkCounts>,
): Promise<Outcome> {
  let isGone = hasEnded;
  for (const message of packCounts(codes.flatMap((code) => counts.get(code) ?? []))) {
    if (isGone) break;
    const outcome = await connections.send(connectionId, message, table.abortSignal);
    isGone = outcome === 'gone';
  }
  if (isGone) await removeConnection(table, connectionId, codes);
  return isGone ? 'gone' : 'pushed';
}

/** One line for all failures, however many: the next numbers replace what was not sent. */
function report(outcomes: readonly Outcome[]): void {
  const failures = outcomes.filter((outcome) => outcome instanceof Error);
  const count = (outcome: Outcome) => outcomes.filter((other) => other === outcome).length;
  metrics.addMetric('PushedConnections', MetricUnit.Count, count('pushed'));
  metrics.addMetric('GoneConnections', MetricUnit.Count, count('gone'));
  metrics.addMetric('PushFailures', MetricUnit.Count, failures.length);
  const [error] = failures;
  if (error) logger.error('connections not reached', { failures: failures.length, error });
}

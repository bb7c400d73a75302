import { countDistinct } from '../tools/zipf.ts';
import { assumptions } from './assumptions.ts';
import { environmentsFor } from './click-source.ts';
import { resolverSeconds } from './cpu.ts';
import { limits } from './limits.ts';
import { longPollMs } from './mapping.ts';
import { type Price, prices } from './prices.ts';
import type { FunctionCosts, StageCosts } from './stage-costs.ts';

/** The counting path's usage, as measured in the model. */
export interface Usage {
  /** Clicks counted in the measured seconds. */
  clicks: number;
  seconds: number;
  /** The aggregator's invocations, their total duration, and its memory. */
  invocations: number;
  invocationSeconds: number;
  memoryMb: number;
  /** The mapping's requests to SQS: receives, deletes and empty receives. */
  queueRequests: number;
  /** The aggregator's, in committed and cancelled transactions. */
  writeUnits: number;
  readUnits: number;
  /** The bytes of all markers. */
  markerBytes: number;
  /** The aggregator's log, including EMF lines. */
  logBytes: number;
}

/** The parts of the costs. */
export const partNames = [
  'API',
  'resolver',
  'reads',
  'bus',
  'queue',
  'aggregator',
  'writes',
  'marker storage',
  'logs',
  'traces',
  'metrics, alarms and dashboard',
  'live page',
] as const;

export interface Part {
  name: (typeof partNames)[number];
  dollarsPerMillion: number;
}

const bytesPerGb = 2 ** 30;
const mbPerGb = 1_024;
const secondsPerMonth = assumptions.secondsPerMonth;
/** At least, each time that a link is counted: its total and its day, in a transaction or with a record. */
const unitsPerLink = 4;

/**
 * The cost of a million clicks through the API, in US dollars by part. Monthly costs are divided by a
 * month's clicks at the measured rate.
 * @throws {RangeError} if no click was counted, or no time was measured.
 */
export function dollarsPerMillion(usage: Usage, stage: StageCosts): Part[] {
  if (!(usage.clicks > 0 && usage.seconds > 0)) {
    throw new RangeError(
      `expected clicks and seconds above 0; got ${usage.clicks} and ${usage.seconds}. ` +
        'Measure until clicks are counted.',
    );
  }
  const { clicks } = usage;
  const pushes = countPushes(usage, stage);
  const dollars: Record<Part['name'], number> = {
    API: priceOf(prices.httpApiRequest, clicks),
    resolver: priceRedirects(clicks, stage.resolver.memoryMb),
    reads: priceOf(prices.readUnit, usage.readUnits + countUrlReads(usage, stage)),
    bus: stage.clicksVia === 'bus' ? priceOf(prices.customEvent, usage.clicks) : 0,
    queue: priceOf(
      prices.queueRequest,
      usage.clicks * assumptions.sendsPerClick + usage.queueRequests,
    ),
    aggregator: priceInvocations(usage.invocations, usage.invocationSeconds, usage.memoryMb),
    writes: priceOf(prices.writeUnit, usage.writeUnits),
    'marker storage': priceMarkers(usage, stage),
    logs: priceLogs(usage, stage, pushes),
    traces: priceTraces(usage, stage, pushes),
    'metrics, alarms and dashboard': (priceMonth(stage) * usage.seconds) / secondsPerMonth,
    'live page': priceLivePage(usage, stage, pushes),
  };
  return Object.entries(dollars).map(([name, amount]) => ({
    name: name as Part['name'],
    dollarsPerMillion: (amount / usage.clicks) * 1_000_000,
  }));
}

/**
 * A stage's monthly cost without clicks, in US dollars: alarms, the dashboard, a key, and Lambda's
 * polling of each queue. Custom metrics without data points are free.
 */
export function dollarsAtRest(
  stage: StageCosts,
  { clickQueues, maximumConcurrency }: { clickQueues: number; maximumConcurrency: number },
): number {
  const pollers = clickQueues * Math.min(maximumConcurrency, limits.startPollers);
  const receives = (pollers * secondsPerMonth * 1_000) / longPollMs;
  return priceMonth({ ...stage, customMetrics: 0 }) + priceOf(prices.queueRequest, receives);
}

/** The same costs without the bus. The queue's requests stay the same, because the bus's are priced, too. */
export const withoutBus = (parts: readonly Part[]) => parts.filter(({ name }) => name !== 'bus');

/** The monthly cost of the measured usage, in US dollars. */
export function dollarsPerMonth(parts: readonly Part[], { clicks, seconds }: Usage): number {
  const perMillion = parts.reduce((sum, part) => sum + part.dollarsPerMillion, 0);
  return ((perMillion * clicks) / 1_000_000 / seconds) * secondsPerMonth;
}

const priceOf = ({ dollars, per }: Price, units: number) => (units / per) * dollars;

/** Lambda's price of redirects, in dollars. */
export function priceRedirects(clicks: number, memoryMb: number): number {
  return priceInvocations(clicks, clicks * resolverSeconds(memoryMb), memoryMb);
}

function priceInvocations(requests: number, seconds: number, memoryMb: number): number {
  const gbSeconds = (seconds * memoryMb) / mbPerGb;
  return priceOf(prices.lambdaRequest, requests) + priceOf(prices.lambdaGbSecond, gbSeconds);
}

/**
 * Read units of resolve-link. Each environment reads a link at most once per cache lifetime. The number
 * of environments is the number of concurrent clicks (Little's law).
 */
function countUrlReads({ clicks, seconds }: Usage, { law, resolver }: StageCosts): number {
  const environments = environmentsFor(clicks / seconds, resolver.memoryMb);
  const lifetimes = environments * (seconds / assumptions.urlMemorySeconds);
  const clicksEach = clicks / lifetimes;
  const ofHotLink = 1 - Math.exp(-clicksEach * law.hotShare);
  return lifetimes * (ofHotLink + countDistinct(law.links, clicksEach * (1 - law.hotShare)));
}

function priceMarkers({ markerBytes }: Usage, stage: StageCosts): number {
  const months = (stage.markerTtlSeconds + assumptions.secondsAfterTtl) / secondsPerMonth;
  const gbMonths = (markerBytes / bytesPerGb) * months;
  const recovery = stage.pointInTimeRecovery
    ? priceOf(prices.pointInTimeRecoveryGbMonth, gbMonths)
    : 0;
  return priceOf(prices.tableGbMonth, gbMonths) + recovery;
}

interface Pushes {
  invocations: number;
  /** Pushes that send a message to each open page. */
  watched: number;
}

/**
 * Lambda invokes push-counts for a shard at most once per window or poll, and at most once for each of
 * the aggregator's commits.
 */
function countPushes({ invocations, seconds }: Usage, stage: StageCosts): Pushes {
  const shards = Math.min(stage.law.links, assumptions.streamShards);
  const periodSeconds = Math.max(stage.pushBatchWindowSeconds, assumptions.shardPollSeconds);
  const ofShard = Math.min(invocations, seconds / periodSeconds);
  return { invocations: shards * ofShard, watched: assumptions.openPages > 0 ? ofShard : 0 };
}

function priceLogs(usage: Usage, stage: StageCosts, pushes: Pushes): number {
  const bytes =
    usage.clicks * (stage.accessLogBytes + stage.resolver.systemLogBytes) +
    usage.logBytes +
    usage.invocations * stage.aggregator.systemLogBytes +
    pushes.invocations * stage.pusher.systemLogBytes +
    pushes.watched * assumptions.pushLogBytes;
  const gb = bytes / bytesPerGb;
  const months = (stage.logRetentionDays * 86_400) / secondsPerMonth;
  return (
    priceOf(prices.logIngestedGb, gb) +
    priceOf(prices.logStoredGbMonth, gb * assumptions.storedShareOfLog * months)
  );
}

function priceTraces(usage: Usage, stage: StageCosts, pushes: Pushes): number {
  const traced: [FunctionCosts, invocations: number][] = [
    [stage.resolver, usage.clicks],
    [stage.aggregator, usage.invocations],
    [stage.pusher, pushes.invocations],
  ];
  const traces = traced.map(([{ isTraced }, invocations]) =>
    isTraced ? countTraces(invocations / usage.seconds) * usage.seconds : 0,
  );
  return priceOf(
    prices.traceRecorded,
    traces.reduce((sum, some) => sum + some, 0),
  );
}

/** Traces a second at this rate of invocations. */
function countTraces(invocationsPerSecond: number): number {
  const always = Math.min(invocationsPerSecond, assumptions.tracesPerSecond);
  return always + (invocationsPerSecond - always) * assumptions.tracedShareOfOthers;
}

function priceMonth(stage: StageCosts): number {
  return (
    priceOf(prices.customMetricMonth, stage.customMetrics) +
    priceOf(prices.alarmMetricMonth, stage.alarmMetrics) +
    priceOf(prices.anomalyAlarmMonth, stage.anomalyAlarms) +
    priceOf(prices.dashboardMonth, stage.dashboards) +
    priceOf(prices.keyMonth, stage.keys)
  );
}

/**
 * push-counts, which queries each changed link's watchers with one unit per link, its messages, and the
 * connections. The page's requests to the HTTP API don't depend on clicks and are left out.
 */
function priceLivePage(usage: Usage, stage: StageCosts, pushes: Pushes): number {
  const unwatched = pushes.invocations - pushes.watched;
  const seconds =
    unwatched * assumptions.pushSeconds + pushes.watched * assumptions.watchedPushSeconds;
  const shards = Math.min(stage.law.links, assumptions.streamShards);
  const changedLinks = Math.min(
    usage.writeUnits / unitsPerLink,
    (pushes.invocations * stage.law.links) / shards,
  );
  return (
    priceInvocations(pushes.invocations, seconds, stage.pusher.memoryMb) +
    priceOf(prices.readUnit, changedLinks) +
    priceOf(prices.webSocketMessage, pushes.watched * assumptions.openPages) +
    priceOf(prices.webSocketMinute, (usage.seconds / 60) * assumptions.openPages)
  );
}

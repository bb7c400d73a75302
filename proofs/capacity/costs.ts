import { countDistinct } from '../tools/zipf.ts';
import { assumptions } from './assumptions.ts';
import { environmentsFor } from './click-source.ts';
import { resolverSeconds } from './cpu.ts';
import { limits } from './limits.ts';
import { longPollMs } from './mapping.ts';
import { type Price, prices } from './prices.ts';
import type { StageCosts } from './stage-costs.ts';
import type { LinkLaw } from './traffic.ts';

/** The counting path's usage, as measured in the model. */
export interface Usage {
  law: LinkLaw;
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
  /** The bytes of all markers. */
  markerBytes: number;
  /** The aggregator's log, including EMF lines. */
  logBytes: number;
}

const bytesPerGb = 2 ** 30;
const mbPerGb = 1_024;
const secondsPerMonth = assumptions.secondsPerMonth;
/** At least, each time that a link is counted: its total and its day, in a transaction or with a record. */
const unitsPerLink = 4;

/**
 * The monthly cost of the measured usage through the API, in US dollars.
 * @throws {RangeError} if no click was counted, or no time was measured.
 */
export function dollarsPerMonth(usage: Usage, stage: StageCosts): number {
  const costs = Object.values(priceUsage(usage, stage));
  return (costs.reduce((sum, dollars) => sum + dollars, 0) / usage.seconds) * secondsPerMonth;
}

/**
 * The cost of the measured usage through the API.
 * @throws {RangeError} if no click was counted, or no time was measured.
 */
export function priceUsage(usage: Usage, stage: StageCosts) {
  if (!(usage.clicks > 0 && usage.seconds > 0)) {
    throw new RangeError(
      `expected clicks and seconds above 0; got ${usage.clicks} and ${usage.seconds}. ` +
        'Measure until clicks are counted.',
    );
  }
  const { clicks } = usage;
  const pushes = countPushes(usage, stage);
  return {
    API: priceOf(prices.httpApiRequest, clicks),
    resolver: priceRedirects(clicks, stage.resolverMemoryMb),
    reads: priceOf(prices.readUnit, countUrlReads(usage, stage)),
    bus: stage.clicksVia === 'bus' ? priceOf(prices.customEvent, clicks) : 0,
    queue: priceOf(prices.queueRequest, clicks * assumptions.sendsPerClick + usage.queueRequests),
    aggregator: priceInvocations(usage.invocations, usage.invocationSeconds, usage.memoryMb),
    writes: priceOf(prices.writeUnit, usage.writeUnits),
    'marker storage': priceMarkers(usage, stage),
    logs: priceLogs(usage, stage, pushes),
    'metrics, alarms and dashboard': (priceMonth(stage) * usage.seconds) / secondsPerMonth,
    'live page': priceLivePage(usage, stage, pushes),
  };
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

const priceOf = ({ dollars, per }: Price, units: number) => (units / per) * dollars;

/** Lambda's price of redirects, in dollars. */
function priceRedirects(clicks: number, memoryMb: number): number {
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
function countUrlReads({ law, clicks, seconds }: Usage, { resolverMemoryMb }: StageCosts): number {
  const environments = environmentsFor(clicks / seconds, resolverMemoryMb);
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
function countPushes({ law, invocations, seconds }: Usage, stage: StageCosts): Pushes {
  const shards = Math.min(law.links, assumptions.streamShards);
  const periodSeconds = Math.max(stage.pushBatchWindowSeconds, assumptions.shardPollSeconds);
  const ofShard = Math.min(invocations, seconds / periodSeconds);
  return { invocations: shards * ofShard, watched: assumptions.openPages > 0 ? ofShard : 0 };
}

function priceLogs(usage: Usage, stage: StageCosts, pushes: Pushes): number {
  const bytes =
    usage.clicks * stage.accessLogBytes +
    usage.logBytes +
    pushes.watched * assumptions.pushLogBytes;
  const gb = bytes / bytesPerGb;
  const months = (stage.logRetentionDays * 86_400) / secondsPerMonth;
  return (
    priceOf(prices.logIngestedGb, gb) +
    priceOf(prices.logStoredGbMonth, gb * assumptions.storedShareOfLog * months)
  );
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
  const shards = Math.min(usage.law.links, assumptions.streamShards);
  const changedLinks = Math.min(
    usage.writeUnits / unitsPerLink,
    (pushes.invocations * usage.law.links) / shards,
  );
  return (
    priceInvocations(pushes.invocations, seconds, stage.pusherMemoryMb) +
    priceOf(prices.readUnit, changedLinks) +
    priceOf(prices.webSocketMessage, pushes.watched * assumptions.openPages) +
    priceOf(prices.webSocketMinute, (usage.seconds / 60) * assumptions.openPages)
  );
}

import { countDistinct } from '../tools/zipf.ts';
import { assumptions } from './assumptions.ts';
import { longPollMs } from './click-queue.ts';
import { environmentsFor } from './click-source.ts';
import { resolverSeconds } from './cpu.ts';
import { limits } from './limits.ts';
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
const requestsAtFullPrice = 300_000_000;

/** The monthly cost of the measured usage through the API, in US dollars. */
export function dollarsPerMonth(usage: Usage, stage: StageCosts): number {
  const costs = Object.values(priceUsage(usage, stage));
  return (costs.reduce((sum, dollars) => sum + dollars, 0) / usage.seconds) * secondsPerMonth;
}

/** The cost of the measured usage through the API. Clicks and seconds must be above 0. */
export function priceUsage(usage: Usage, stage: StageCosts) {
  const { clicks } = usage;
  return {
    API: priceApi(usage),
    'data transfer': priceOf(prices.dataOutGb, (clicks * assumptions.redirectBytes) / bytesPerGb),
    resolver: priceRedirects(clicks, stage.resolverMemoryMb),
    reads: priceOf(prices.readUnit, countUrlReads(usage, stage)),
    bus: stage.clicksVia === 'bus' ? priceOf(prices.customEvent, clicks) : 0,
    queue: priceOf(prices.queueRequest, clicks * assumptions.sendsPerClick + usage.queueRequests),
    aggregator: priceInvocations(usage.invocations, usage.invocationSeconds, usage.memoryMb),
    writes: priceOf(prices.writeUnit, usage.writeUnits),
    'marker storage': priceMarkers(usage, stage),
    logs: priceLogs(usage, stage),
    'metrics, alarms and dashboard': (priceMonth(stage) * usage.seconds) / secondsPerMonth,
    'live page': priceLivePage(usage, stage),
  };
}

/**
 * A stage's monthly cost without clicks, in US dollars: alarms, the dashboard, a key, and Lambda's
 * polling of each queue. Custom metrics without data points are free.
 */
export function dollarsAtRest(stage: StageCosts, { clickQueues }: { clickQueues: number }): number {
  const pollers = clickQueues * limits.startPollers;
  const receives = (pollers * secondsPerMonth * 1_000) / longPollMs;
  return priceMonth({ ...stage, customMetrics: 0 }) + priceOf(prices.queueRequest, receives);
}

const priceOf = ({ dollars, per }: Price, units: number) => (units / per) * dollars;

/** The price of a request depends on how many a month has. */
function priceApi({ clicks, seconds }: Usage): number {
  const monthly = (clicks / seconds) * secondsPerMonth;
  const further = Math.max(0, monthly - requestsAtFullPrice) / monthly;
  return (
    priceOf(prices.httpApiRequest, clicks * (1 - further)) +
    priceOf(prices.httpApiFurtherRequest, clicks * further)
  );
}

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

/**
 * Invocations of push-counts, and the links that changed in them. A commit's links are on as many shards as
 * if they were chosen at random. Lambda invokes push-counts for a shard at most once per window or poll.
 */
function countPushes({ law, invocations, writeUnits, seconds }: Usage, stage: StageCosts) {
  const shards = Math.min(law.links, assumptions.streamShards);
  const linksPerCommit = Math.min(law.links, writeUnits / unitsPerLink / invocations);
  const shardsPerCommit = shards * (1 - (1 - 1 / shards) ** linksPerCommit);
  const periodSeconds = Math.max(stage.pushBatchWindowSeconds, assumptions.shardPollSeconds);
  const pushes = Math.min(invocations * shardsPerCommit, (shards * seconds) / periodSeconds);
  const links = Math.min(writeUnits / unitsPerLink, (pushes * law.links) / shards);
  return { pushes, links };
}

function priceLogs(usage: Usage, stage: StageCosts): number {
  const bytes = usage.clicks * stage.accessLogBytes + usage.logBytes;
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
    priceOf(prices.dashboardMonth, stage.dashboards) +
    priceOf(prices.keyMonth, stage.keys)
  );
}

/**
 * push-counts, which reads whether anybody is connected and, if so, each changed link's watchers with a unit
 * each; its messages; and the connections. The page's requests to the HTTP API don't depend on clicks and
 * are left out.
 */
function priceLivePage(usage: Usage, stage: StageCosts): number {
  const { pushes, links } = countPushes(usage, stage);
  const isOpen = assumptions.openPages > 0;
  const watched = isOpen ? pushes * (1 - (1 - assumptions.watchedShare) ** (links / pushes)) : 0;
  const seconds =
    (pushes - watched) * assumptions.pushSeconds + watched * assumptions.watchedPushSeconds;
  return (
    priceInvocations(pushes, seconds, stage.pusherMemoryMb) +
    priceOf(prices.readUnit, pushes + (isOpen ? links : 0)) +
    priceOf(prices.webSocketMessage, watched * assumptions.openPages) +
    priceOf(prices.webSocketMinute, (usage.seconds / 60) * assumptions.openPages)
  );
}

import type { Settings } from '../simulation/stage-settings.ts';
import { countDistinct } from '../tools/zipf.ts';
import { assumptions } from './assumptions.ts';
import { longPollMs } from './click-queue.ts';
import { environmentsFor } from './click-source.ts';
import { cpuShare, resolverSeconds } from './cpu.ts';
import { limits } from './limits.ts';
import { type Price, prices } from './prices.ts';
import type { LinkLaw } from './traffic.ts';

/** The counting path's usage, as measured in the model. */
export interface Usage {
  law: LinkLaw;
  /** Clicks counted in the measured seconds. */
  clicks: number;
  seconds: number;
  /** The aggregator's invocations, and their total duration. */
  invocations: number;
  invocationSeconds: number;
  /** The mapping's requests to SQS: receives, deletes and empty receives. */
  queueRequests: number;
  /** The aggregator's, in committed and cancelled transactions. */
  writeUnits: number;
  /** How often a link was counted, alone or for a whole batch. */
  links: number;
  /** The aggregator's log, including EMF lines. */
  logBytes: number;
}

const bytesPerGb = 2 ** 30;
const { secondsPerMonth } = assumptions;
const requestsAtFullPrice = 300_000_000;

/**
 * The monthly cost of the measured usage through the API, in US dollars, of a stage that writes neither
 * traces nor Lambda's own log lines.
 */
export function dollarsPerMonth(usage: Usage, stage: Settings): number {
  const costs = Object.values(priceUsage(usage, stage));
  return (costs.reduce((sum, dollars) => sum + dollars, 0) / usage.seconds) * secondsPerMonth;
}

/** The cost of the measured usage through the API. Clicks and seconds must be above 0. */
export function priceUsage(usage: Usage, stage: Settings) {
  const { clicks } = usage;
  const { readUnit, writeUnit } = stage.billing === 'provisioned' ? provisionedUnits : prices;
  const readUnits = countUrlReads(usage, stage);
  const livePage = countLivePage(usage, stage);
  return {
    API: priceApi(usage),
    'data transfer': priceOf(prices.dataOutGb, (clicks * assumptions.redirectBytes) / bytesPerGb),
    resolver: priceInvocations(
      clicks,
      clicks * resolverSeconds(stage.resolverMemoryMb),
      stage.resolverMemoryMb,
    ),
    reads: priceOf(readUnit, readUnits),
    bus: stage.clicksVia === 'bus' ? priceOf(prices.customEvent, clicks) : 0,
    // EventBridge and resolve-link send each click in its own request, from memory.
    queue: priceOf(prices.queueRequest, clicks + usage.queueRequests),
    aggregator: priceInvocations(usage.invocations, usage.invocationSeconds, stage.memoryMb),
    writes: priceOf(writeUnit, usage.writeUnits),
    'unused capacity': priceUnused(readUnits + livePage.readUnits, usage, stage),
    logs: priceLogs(usage, stage),
    'metrics and alarms': (priceMonitoring(stage, true) * usage.seconds) / secondsPerMonth,
    'live page': priceLivePage(usage, livePage) + priceOf(readUnit, livePage.readUnits),
  };
}

/** A unit on a provisioned table, at the mean utilisation. */
const provisionedUnits = {
  readUnit: { ...prices.readUnitHour, per: 3_600 * assumptions.provisionedUse.reads },
  writeUnit: { ...prices.writeUnitHour, per: 3_600 * assumptions.provisionedUse.writes },
};

/** What a provisioned table's minimum costs beyond the use, and its index's minimum. */
function priceUnused(readUnits: number, { writeUnits, seconds }: Usage, stage: Settings): number {
  if (stage.billing !== 'provisioned') return 0;
  const { provisionedUse, indexUnits } = assumptions;
  const { reads, writes } = stage.provisionedUnits;
  const unusedReads = Math.max(0, reads - readUnits / seconds / provisionedUse.reads);
  const unusedWrites = Math.max(0, writes - writeUnits / seconds / provisionedUse.writes);
  const hours = seconds / 3_600;
  return (
    priceOf(prices.readUnitHour, (unusedReads + indexUnits) * hours) +
    priceOf(prices.writeUnitHour, (unusedWrites + indexUnits) * hours)
  );
}

/**
 * A stage's monthly cost without clicks, in US dollars: alarms, a key, and Lambda's polling of each queue.
 * Custom metrics without data points are free.
 */
export function dollarsAtRest(stage: Settings): number {
  const receives = (stage.clickQueues * limits.startPollers * secondsPerMonth * 1_000) / longPollMs;
  return priceMonitoring(stage, false) + priceOf(prices.queueRequest, receives);
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

function priceInvocations(requests: number, seconds: number, memoryMb: number): number {
  const gbSeconds = (seconds * memoryMb) / 1_024;
  return priceOf(prices.lambdaRequest, requests) + priceOf(prices.lambdaGbSecond, gbSeconds);
}

/**
 * Read units of resolve-link. Each environment reads a link at most once per cache lifetime. The number
 * of environments is the number of concurrent clicks (Little's law).
 */
function countUrlReads({ law, clicks, seconds }: Usage, { resolverMemoryMb }: Settings): number {
  const environments = environmentsFor(clicks / seconds, resolverMemoryMb);
  const lifetimes = environments * (seconds / assumptions.urlMemorySeconds);
  return lifetimes * countDistinct(law.links, clicks / lifetimes);
}

/**
 * Invocations of push-counts, and the links that changed in them. A commit's links are on as many shards as
 * if they were chosen at random. Lambda invokes push-counts for a shard at most once per window or poll.
 * Each push reads whether anybody is connected and, if so, each changed link's watchers, with a unit each.
 */
function countLivePage({ law, invocations, links, seconds }: Usage, stage: Settings) {
  const shards = Math.min(law.links, assumptions.streamShards);
  const shardsPerCommit = shards * (1 - (1 - 1 / shards) ** (links / invocations));
  const periodSeconds = Math.max(stage.pushBatchWindowMs / 1_000, assumptions.shardPollSeconds);
  const pushes = Math.min(invocations * shardsPerCommit, (shards * seconds) / periodSeconds);
  const pushed = Math.min(links, (pushes * law.links) / shards);
  const isOpen = assumptions.openPages > 0;
  return {
    pushes,
    links: isOpen ? pushed : 0,
    watched: isOpen ? pushes * (1 - (1 - assumptions.watchedShare) ** (pushed / pushes)) : 0,
    readUnits: pushes + (isOpen ? pushed : 0),
  };
}

function priceLogs(usage: Usage, stage: Settings): number {
  const bytes = usage.clicks * assumptions.accessLogBytes + usage.logBytes;
  const gb = bytes / bytesPerGb;
  const months = (stage.logRetentionDays * 86_400) / secondsPerMonth;
  return (
    priceOf(prices.logIngestedGb, gb) +
    priceOf(prices.logStoredGbMonth, gb * assumptions.storedShareOfLog * months)
  );
}

/** A month's alarms and keys and, with clicks, custom metrics, with a data point in every hour. */
function priceMonitoring({ billing }: Settings, hasClicks: boolean): number {
  const { customMetrics, alarmMetrics, autoscalingAlarms, keys } = assumptions;
  const alarms = alarmMetrics + (billing === 'provisioned' ? autoscalingAlarms : 0);
  return (
    priceOf(prices.customMetricMonth, hasClicks ? customMetrics : 0) +
    priceOf(prices.alarmMetricMonth, alarms) +
    priceOf(prices.keyMonth, keys)
  );
}

/**
 * push-counts without its reads, its messages and the connections. The page's requests to the HTTP API
 * don't depend on clicks and are left out.
 */
function priceLivePage(
  { seconds }: Usage,
  { pushes, links, watched }: ReturnType<typeof countLivePage>,
): number {
  const { pushRoundSeconds, pushCpuSeconds, pusherMemoryMb, openPages } = assumptions;
  const rounds = pushes * (openPages > 0 ? 2 : 1) + watched;
  const { push, link, message } = pushCpuSeconds;
  const cpuSeconds = (push * pushes + link * links + message * watched) / cpuShare(pusherMemoryMb);
  return (
    priceInvocations(pushes, rounds * pushRoundSeconds + cpuSeconds, pusherMemoryMb) +
    priceOf(prices.webSocketMessage, watched * openPages) +
    priceOf(prices.webSocketMinute, (seconds / 60) * openPages)
  );
}

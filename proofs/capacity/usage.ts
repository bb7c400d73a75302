import type { Settings } from '../simulation/stage-settings.ts';
import { countDistinct } from '../tools/zipf.ts';
import { assumptions } from './assumptions.ts';
import { longPollMs } from './click-queue.ts';
import { environmentsFor } from './click-source.ts';
import { cpuShare, resolverSeconds } from './cpu.ts';
import { limits } from './limits.ts';
import type { PriceName } from './prices.ts';
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
  /** The aggregator's, in committed and cancelled transactions and plain writes. */
  writeUnits: number;
  /** The aggregator's, of visitors. */
  readUnits: number;
  /** How often a link was counted, alone or for a whole batch. */
  links: number;
  /** The aggregator's log, including EMF lines. */
  logBytes: number;
}

/** The units of each price that a part of the service uses. */
export type Units = Partial<Record<PriceName, number>>;

const bytesPerGb = 2 ** 30;
const { secondsPerMonth } = assumptions;
const requestsAtFullPrice = 300_000_000;

/** The usage of a month with this many clicks, each of which needs as much as a counted one. */
export function toMonth(usage: Usage, clicksPerMonth: number): Usage {
  const scale = clicksPerMonth / usage.clicks;
  return {
    law: usage.law,
    clicks: clicksPerMonth,
    seconds: secondsPerMonth,
    invocations: scale * usage.invocations,
    invocationSeconds: scale * usage.invocationSeconds,
    queueRequests: scale * usage.queueRequests,
    writeUnits: scale * usage.writeUnits,
    readUnits: scale * usage.readUnits,
    links: scale * usage.links,
    logBytes: scale * usage.logBytes,
  };
}

/**
 * The units of the measured usage through the API, by part, of a stage that writes neither traces nor
 * Lambda's own log lines. Clicks and seconds must be above 0.
 */
export function countUnits(usage: Usage, stage: Settings) {
  const { clicks, seconds } = usage;
  const livePage = countLivePage(usage, stage);
  const reads = countUrlReads(usage, stage) + usage.readUnits;
  const readsPerSecond = (reads + livePage.readUnits) / seconds;
  const resolverGbSeconds = clicks * resolverSeconds(stage.resolverMemoryMb);
  return {
    API: countRequests(usage),
    'data transfer': { dataOutGb: (clicks * assumptions.redirectBytes) / bytesPerGb },
    resolver: countInvocations(clicks, resolverGbSeconds, stage.resolverMemoryMb),
    reads: countReads(reads, stage),
    bus: { customEvent: stage.clicksVia === 'bus' ? clicks : 0 },
    // EventBridge and resolve-link send each click in its own request, from memory.
    queue: { queueRequest: clicks + usage.queueRequests },
    aggregator: countInvocations(usage.invocations, usage.invocationSeconds, stage.memoryMb),
    writes: countWrites(usage.writeUnits, stage),
    'unused capacity': countUnused(readsPerSecond, usage.writeUnits / seconds, seconds, stage),
    logs: countLogs(usage, stage),
    'metrics and alarms': countMonitoring(stage, seconds, assumptions.customMetrics),
    'live page': { ...countPushes(usage, livePage), ...countReads(livePage.readUnits, stage) },
  } satisfies Record<string, Units>;
}

/** A month's units without clicks. Custom metrics without data points are free. */
export function countUnitsAtRest(stage: Settings) {
  const pollers = stage.clickQueues * limits.startPollers;
  return {
    queue: { queueRequest: (pollers * secondsPerMonth * 1_000) / longPollMs },
    'unused capacity': countUnused(0, 0, secondsPerMonth, stage),
    'metrics and alarms': countMonitoring(stage, secondsPerMonth, 0),
  } satisfies Record<string, Units>;
}

/** The price of a request depends on how many a month has. */
function countRequests({ clicks, seconds }: Usage): Units {
  const monthly = (clicks / seconds) * secondsPerMonth;
  const further = Math.max(0, monthly - requestsAtFullPrice) / monthly;
  return { httpApiRequest: clicks * (1 - further), httpApiFurtherRequest: clicks * further };
}

function countInvocations(requests: number, seconds: number, memoryMb: number): Units {
  return { lambdaRequest: requests, lambdaGbSecond: (seconds * memoryMb) / 1_024 };
}

/** A provisioned table's hours are used at the mean utilisation. */
function countReads(units: number, { billing }: Settings): Units {
  if (billing !== 'provisioned') return { readUnit: units };
  return { readUnitHour: units / 3_600 / assumptions.provisionedUse.reads };
}

function countWrites(units: number, { billing }: Settings): Units {
  if (billing !== 'provisioned') return { writeUnit: units };
  return { writeUnitHour: units / 3_600 / assumptions.provisionedUse.writes };
}

/** The units of a provisioned table's minimum beyond the use, and those of its index. */
function countUnused(
  readsPerSecond: number,
  writesPerSecond: number,
  seconds: number,
  { billing, provisionedUnits }: Settings,
): Units {
  if (billing !== 'provisioned') return {};
  const { provisionedUse, indexUnits } = assumptions;
  const hours = seconds / 3_600;
  const { reads, writes } = provisionedUnits;
  const unusedReads = Math.max(0, reads - readsPerSecond / provisionedUse.reads);
  const unusedWrites = Math.max(0, writes - writesPerSecond / provisionedUse.writes);
  return {
    readUnitHour: (unusedReads + indexUnits) * hours,
    writeUnitHour: (unusedWrites + indexUnits) * hours,
  };
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

type LivePage = ReturnType<typeof countLivePage>;

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

/**
 * push-counts without its reads, its messages and the connections. The page's requests to the HTTP API
 * don't depend on clicks and are left out.
 */
function countPushes({ seconds }: Usage, { pushes, links, watched }: LivePage): Units {
  const { pushRoundSeconds, pushCpuSeconds, pusherMemoryMb, openPages } = assumptions;
  const rounds = pushes * (openPages > 0 ? 2 : 1) + watched;
  const { push, link, message } = pushCpuSeconds;
  const cpuSeconds = (push * pushes + link * links + message * watched) / cpuShare(pusherMemoryMb);
  return {
    ...countInvocations(pushes, rounds * pushRoundSeconds + cpuSeconds, pusherMemoryMb),
    webSocketMessage: watched * openPages,
    webSocketMinute: (seconds / 60) * openPages,
  };
}

function countLogs(usage: Usage, stage: Settings): Units {
  const bytes = usage.clicks * assumptions.accessLogBytes + usage.logBytes;
  const gb = bytes / bytesPerGb;
  const months = (stage.logRetentionDays * 86_400) / secondsPerMonth;
  return { logIngestedGb: gb, logStoredGbMonth: gb * assumptions.storedShareOfLog * months };
}

/** Alarms, and custom metrics with a data point in every hour. */
function countMonitoring({ billing }: Settings, seconds: number, customMetrics: number): Units {
  const { alarmMetrics, autoscalingAlarms } = assumptions;
  const alarms = alarmMetrics + (billing === 'provisioned' ? autoscalingAlarms : 0);
  const months = seconds / secondsPerMonth;
  return { customMetricMonth: customMetrics * months, alarmMetricMonth: alarms * months };
}

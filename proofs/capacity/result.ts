import { measure } from '../simulation/dynamodb/capacity-units.ts';
import { assumptions } from './assumptions.ts';
import type { CapacityWorld } from './capacity-world.ts';
import { environmentsFor } from './click-source.ts';
import type { Usage } from './costs.ts';
import { limits } from './limits.ts';
import type { StageSettings } from './stage.ts';
import { peakRate } from './traffic.ts';

/** The settings that a sweep varies. */
export interface Tuning {
  batchSize?: number;
  batchWindowSeconds?: number;
  maximumConcurrency?: number;
  clickQueues?: number;
  memoryMb?: number;
  resolverMemoryMb?: number;
}

/** Whose code counts. */
export const approaches = ['click-tally', 'hand-rolled', 'stock'] as const;
export type Approach = (typeof approaches)[number];

/** A cell of the table. */
export interface Cell {
  stage: string;
  traffic: string;
  approach: Approach;
  tuning?: Tuning;
  /** Runs for this share of the traffic's time. */
  share?: number;
}

/** A part's utilisation. Above 1, it rejects or delays. */
interface Utilisation {
  part: string;
  share: number;
}

export interface Result extends Cell {
  /** Virtual seconds that were measured. */
  seconds: number;
  offeredPerSecond: number;
  countedPerSecond: number;
  /** Whether the backlog does not grow. */
  holds: boolean;
  /** From the click to the end of the invocation that counted it, in ms. */
  lagMs: { p50: number; p99: number; worst: number };
  depth: { max: number; end: number };
  /** From the end of the traffic's spike or outage until the backlog was gone. */
  drainSeconds?: number;
  conflictShare: number;
  throttledShare: number;
  /** The share of a queue's limit of messages in flight. */
  inFlightShare: number;
  duplicateShare: number;
  deadLetters: number;
  unitsPerClick: { committed: number; cancelled: number };
  clicksPerBatch: number;
  invocationMs: number;
  concurrency: { mean: number; max: number };
  saturatesFirst: string;
  usage: Usage;
}

/** The totals at the start of the measured time. */
interface Snapshot {
  committed: number;
  cancelled: number;
  transactions: number;
  conflicts: number;
  throttled: number;
  queueRequests: number;
  sent: number;
}

/** The totals so far. */
export function snapshot({ statistics: { totals }, table, queues }: CapacityWorld): Snapshot {
  return {
    committed: totals['write units'] ?? 0,
    cancelled: totals['write units of cancelled transactions'] ?? 0,
    transactions: table.requests,
    conflicts: totals.conflicts ?? 0,
    throttled: table.throttled,
    queueRequests: queues.requests,
    sent: queues.sent,
  };
}

/** A finished world's result since the snapshot. `drained` is when the backlog was gone. */
export function summarise(
  cell: Cell,
  world: CapacityWorld,
  before: Snapshot,
  drained: number | undefined,
): Result {
  const { meter, queues, plan } = world;
  const { traffic, settings } = plan;
  const { sums, lags } = meter;
  const after = snapshot(world);
  const since = (name: keyof Snapshot) => after[name] - before[name];
  const seconds = world.seconds - traffic.measureFromSeconds;
  const requests = Math.max(1, since('transactions'));
  const counted = sums.counted;
  const depthEnd = queues.visible;
  const flow = { sent: since('sent'), counted, seconds, drains: traffic.drains };
  const trouble = traffic.spike ?? traffic.outage;
  const shares = {
    conflictShare: since('conflicts') / requests,
    throttledShare: since('throttled') / requests,
    inFlightShare: meter.maxInFlight / limits.inFlight,
  };
  const holds = isHeld({ ...flow, depthEnd });
  const concurrency = { mean: sums.invocationMs / (seconds * 1_000), max: meter.maxRunning };
  const facts = { ...shares, isHeld: holds, concurrency: concurrency.mean };
  return {
    ...{ ...cell, seconds },
    offeredPerSecond: flow.sent / seconds,
    countedPerSecond: counted / seconds,
    holds,
    lagMs: {
      p50: lags.quantileMs(0.5) + limits.busMs,
      p99: lags.quantileMs(0.99) + limits.busMs,
      worst: lags.worstMs + limits.busMs,
    },
    depth: { max: meter.maxDepth, end: depthEnd },
    ...(trouble &&
      drained !== undefined && { drainSeconds: Math.max(0, drained - trouble.untilSeconds) }),
    ...shares,
    duplicateShare: sums.metricDuplicates / Math.max(1, counted),
    deadLetters: queues.deadLetters,
    unitsPerClick: {
      committed: since('committed') / Math.max(1, counted),
      cancelled: since('cancelled') / Math.max(1, counted),
    },
    clicksPerBatch: sums.batchClicks / sums.batches,
    invocationMs: sums.invocationMs / sums.batches,
    concurrency,
    saturatesFirst: nameLimit(readFront(peakRate(traffic), settings), facts, settings),
    usage: {
      ...{ clicks: counted, seconds, invocations: sums.batches, memoryMb: settings.memoryMb },
      invocationSeconds: sums.invocationMs / 1_000,
      queueRequests: since('queueRequests'),
      writeUnits: since('committed') + since('cancelled'),
      readUnits: 0,
      markerBytes: measureMarkers(world) * counted,
      logBytes: sums.logBytes,
    },
  };
}

/** The utilisation of the parts in front of the queue. */
export function readFront(
  clicksPerSecond: number,
  settings: Pick<
    StageSettings,
    'resolverConcurrency' | 'resolverMemoryMb' | 'visitorsPerSecond' | 'clicksVia'
  >,
): Utilisation[] {
  const { accountConcurrency, apiRequests, busEntries, busDeliveries } = limits;
  const environments = settings.resolverConcurrency ?? accountConcurrency;
  const bus = [
    { part: 'PutEvents', share: clicksPerSecond / busEntries },
    { part: 'EventBridge to the queue', share: clicksPerSecond / busDeliveries },
  ];
  return [
    { part: "the API's limit for visitors", share: clicksPerSecond / settings.visitorsPerSecond },
    { part: 'API Gateway', share: clicksPerSecond / apiRequests },
    {
      part: 'resolve-link',
      share: environmentsFor(clicksPerSecond, settings.resolverMemoryMb) / environments,
    },
    ...(settings.clicksVia === 'bus' ? bus : []),
  ];
}

/** The facts that determine the first bottleneck. */
export interface Facts {
  isHeld: boolean;
  conflictShare: number;
  throttledShare: number;
  inFlightShare: number;
  concurrency: number;
}

/** The measured time starts and ends between batches, so not all sent clicks are counted in it. */
const heldShare = 0.9;

/** The measured flow, which shows whether the backlog grows. */
export interface Flow {
  sent: number;
  counted: number;
  seconds: number;
  /** Whether the run waits until the queue is empty. */
  drains: boolean;
  /** Waiting messages at the end. */
  depthEnd: number;
}

/** Whether at most a second's messages wait at the end, and the others are counted. */
export function isHeld({ sent, counted, seconds, drains, depthEnd }: Flow): boolean {
  return depthEnd <= Math.max(10, sent / seconds) && (drains || counted >= heldShare * sent);
}

/** Above this, conflicts are the bottleneck. */
const manyConflicts = 0.25;

/** Names the bottleneck or, without one, the part with the highest utilisation. */
export function nameLimit(
  front: readonly Utilisation[],
  facts: Facts,
  settings: Pick<StageSettings, 'maximumConcurrency' | 'clickQueues'>,
): string {
  if (!facts.isHeld) {
    if (facts.throttledShare > 0.05) return 'a partition of the table';
    if (facts.conflictShare > manyConflicts) return 'conflicts';
    if (facts.inFlightShare > 0.95) return 'messages in flight';
    return 'the concurrency of the aggregator';
  }
  const parts = [
    ...front,
    { part: 'messages in flight', share: facts.inFlightShare },
    {
      part: 'the concurrency of the aggregator',
      share: facts.concurrency / (settings.maximumConcurrency * settings.clickQueues),
    },
  ];
  const first = parts.reduce((a, b) => (b.share > a.share ? b : a));
  return `${first.part} (${Math.round(100 * first.share)}%)`;
}

/** Bytes of marker items per counted click. */
function measureMarkers({ table, queues }: CapacityWorld): number {
  let bytes = 0;
  for (const item of table.items.scan()) {
    const key = item.PK && 'S' in item.PK ? item.PK.S : '';
    if (!key.startsWith('LINK#')) bytes += measure(item) + assumptions.itemOverheadBytes;
  }
  return bytes / Math.max(1, queues.deleted);
}

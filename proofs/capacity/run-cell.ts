import type { FunctionCode } from '../simulation/sandbox.ts';
import { CapacityWorld } from './capacity-world.ts';
import { limits } from './limits.ts';
import { readStage, type Tuning } from './stage.ts';
import type { Traffic } from './traffic.ts';
import type { Usage } from './usage.ts';

/** A traffic on prod, with changes of its settings. */
export interface Cell {
  traffic: Traffic;
  tuning?: Tuning;
  /** Batches that a mapping gathers at once: by default {@link limits.startPollers}. */
  pollers?: number;
  /** The Region, by default us-east-1. Only its quota of PutEvents differs here. */
  region?: string;
}

export type Result = Cell & ReturnType<typeof summarise>;

/** Runs a cell. The same cell always has the same result. */
export async function runCell(cell: Cell, code: FunctionCode): Promise<Result> {
  const { traffic, tuning, pollers = limits.startPollers } = cell;
  const world = new CapacityWorld(readStage(tuning), traffic, pollers, code);
  let before = addUp(world);
  await world.run(() => {
    before = addUp(world);
  });
  const after = addUp(world);
  return { ...cell, ...summarise(world, (name) => after[name] - before[name], cell.region) };
}

/** The totals so far. */
function addUp(world: CapacityWorld) {
  const { requests, throttled, readUnits, links, statistics } = world.table;
  const { totals } = statistics;
  return {
    writeUnits:
      (totals['write units'] ?? 0) +
      (totals['write units of cancelled transactions'] ?? 0) +
      (totals['plain write units'] ?? 0),
    readUnits,
    transactions: requests,
    conflicts: totals.conflicts ?? 0,
    throttled,
    links,
    queueRequests: world.sum((queue) => queue.requests),
    sent: world.sum(({ sent }) => sent),
  };
}

type Since = (name: keyof ReturnType<typeof addUp>) => number;

/** A finished world's figures. `since` reads a total of the measured time. */
function summarise(world: CapacityWorld, since: Since, region?: string) {
  const { sums, lags, traffic } = world;
  const seconds = world.seconds - traffic.measureFromSeconds;
  const { counted } = sums;
  const sent = since('sent');
  const waiting = world.sum(({ visible }) => visible);
  // The measured time starts and ends between batches, so not all sent clicks are counted in it.
  const isCounted = traffic.untilEmpty === true || counted >= 0.9 * sent;
  const holds = isCounted && waiting <= Math.max(10, sent / seconds);
  const utilisation = measureUtilisation(world, since, seconds, region);
  return {
    offeredPerSecond: sent / seconds,
    countedPerSecond: counted / seconds,
    /** Whether the backlog doesn't grow: at most a second's messages wait at the end. */
    holds,
    /** From the click to the end of the invocation that counted it, in ms. */
    lagMs: { p99: lags.percentile(99) + limits.busMs, worst: lags.max + limits.busMs },
    deadLetters: world.sum(({ deadLetters }) => deadLetters),
    utilisation,
    saturatesFirst: nameLimit(world, since, holds, utilisation),
    usage: {
      law: traffic.law,
      clicks: counted,
      seconds,
      invocations: sums.batches,
      invocationSeconds: sums.invocationMs / 1_000,
      queueRequests: since('queueRequests'),
      writeUnits: since('writeUnits'),
      readUnits: since('readUnits'),
      links: since('links'),
      logBytes: sums.logBytes,
    } satisfies Usage,
  };
}

/**
 * Each limit's utilisation. The parts in front of the queue aren't run; above 100%, they reject requests or, in
 * the case of the bus, send them to the queue.
 */
function measureUtilisation(
  world: CapacityWorld,
  since: Since,
  seconds: number,
  region = 'us-east-1',
) {
  const { settings, traffic } = world;
  const concurrency = settings.maximumConcurrency * settings.clickQueues;
  // Other producers send their clicks to the queue.
  const isOnBus = settings.clicksVia === 'bus' && !traffic.law.isForeign;
  const events = isOnBus ? traffic.clicksPerSecond : 0;
  return {
    "the API's limit for visitors": traffic.clicksPerSecond / settings.visitorsPerSecond,
    "the Region's quota of PutEvents": events / limits.putEventsPerSecond(region),
    'messages in flight': world.maxInFlight / limits.inFlight,
    "the table's quota of write units": since('writeUnits') / seconds / limits.tableWriteUnits,
    'the concurrency of the aggregator': world.sums.invocationMs / 1_000 / seconds / concurrency,
  };
}

/** Names the bottleneck or, without one, the part with the highest utilisation. */
function nameLimit(
  { settings }: CapacityWorld,
  since: Since,
  holds: boolean,
  utilisation: ReturnType<typeof measureUtilisation>,
): string {
  const transactions = Math.max(1, since('transactions'));
  const isThrottled = since('throttled') / transactions > 0.05;
  if (isThrottled && settings.billing === 'provisioned') return 'the provisioned write units';
  if (!holds) {
    if (isThrottled) return 'a partition of the table';
    if (since('conflicts') / transactions > 0.25) return 'conflicts';
    const isFull = utilisation['messages in flight'] > 0.95;
    return isFull ? 'messages in flight' : 'the concurrency of the aggregator';
  }
  const [[part, share] = ['', 0]] = Object.entries(utilisation).toSorted(([, a], [, b]) => b - a);
  return `${part} (${Math.round(100 * share)}%)`;
}

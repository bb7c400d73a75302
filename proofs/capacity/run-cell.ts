import type { FunctionCode } from '../simulation/sandbox.ts';
import type { Settings } from '../simulation/stage-settings.ts';
import { CapacityWorld } from './capacity-world.ts';
import type { Usage } from './costs.ts';
import { limits } from './limits.ts';
import { readStage, type Tuning } from './stage.ts';
import type { Traffic } from './traffic.ts';

/** A traffic on prod, with changes of its settings. */
export interface Cell {
  traffic: Traffic;
  tuning?: Tuning;
}

export type Result = Cell & ReturnType<typeof summarise>;

/** Runs a cell. The same cell always has the same result. */
export async function runCell(cell: Cell, code: FunctionCode): Promise<Result> {
  const world = new CapacityWorld(readStage(cell.tuning), cell.traffic, code);
  let before = addUp(world);
  await world.run(() => {
    before = addUp(world);
  });
  const after = addUp(world);
  return { ...cell, ...summarise(world, (name) => after[name] - before[name]) };
}

/** The totals so far. */
function addUp(world: CapacityWorld) {
  const { requests, throttled, links, statistics } = world.table;
  const { totals } = statistics;
  return {
    writeUnits:
      (totals['write units'] ?? 0) + (totals['write units of cancelled transactions'] ?? 0),
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
function summarise(world: CapacityWorld, since: Since) {
  const { sums, lags, traffic } = world;
  const seconds = world.seconds - traffic.measureFromSeconds;
  const { counted } = sums;
  const [sent, waiting] = [since('sent'), world.sum(({ visible }) => visible)];
  // The measured time starts and ends between batches, so not all sent clicks are counted in it.
  const isCounted = traffic.untilEmpty === true || counted >= 0.9 * sent;
  const holds = isCounted && waiting <= Math.max(10, sent / seconds);
  return {
    offeredPerSecond: sent / seconds,
    countedPerSecond: counted / seconds,
    /** Whether the backlog doesn't grow: at most a second's messages wait at the end. */
    holds,
    /** From the click to the end of the invocation that counted it, in ms. */
    lagMs: { p99: lags.percentile(99) + limits.busMs, worst: lags.max + limits.busMs },
    deadLetters: world.sum(({ deadLetters }) => deadLetters),
    saturatesFirst: nameLimit(world, since, holds, seconds),
    usage: {
      ...{ law: traffic.law, clicks: counted, seconds },
      invocations: sums.batches,
      invocationSeconds: sums.invocationMs / 1_000,
      queueRequests: since('queueRequests'),
      writeUnits: since('writeUnits'),
      links: since('links'),
      logBytes: sums.logBytes,
    } satisfies Usage,
  };
}

/** The utilisation of the parts in front of the queue. Other producers send their clicks to the queue. */
export function useFront(
  { visitorsPerSecond, clicksVia }: Pick<Settings, 'visitorsPerSecond' | 'clicksVia'>,
  { clicksPerSecond, law }: Pick<Traffic, 'clicksPerSecond' | 'law'>,
): Record<string, number> {
  const busRequests = clicksVia === 'bus' && !law.isForeign ? clicksPerSecond : 0;
  return {
    "the API's limit for visitors": clicksPerSecond / visitorsPerSecond,
    "the bus's quota": busRequests / limits.busRequests,
  };
}

/**
 * Names the bottleneck or, without one, the part with the highest utilisation. Of the parts in front of the
 * queue, the API's limit comes first. They aren't run; above 100%, it rejects requests.
 */
function nameLimit(world: CapacityWorld, since: Since, holds: boolean, seconds: number): string {
  const { settings, traffic } = world;
  const transactions = Math.max(1, since('transactions'));
  const isThrottled = since('throttled') / transactions > 0.05;
  const inFlightShare = world.maxInFlight / limits.inFlight;
  if (isThrottled && settings.billing === 'provisioned') return 'the provisioned write units';
  if (!holds) {
    if (isThrottled) return 'a partition of the table';
    if (since('conflicts') / transactions > 0.25) return 'conflicts';
    return inFlightShare > 0.95 ? 'messages in flight' : 'the concurrency of the aggregator';
  }
  const busySeconds = world.sums.invocationMs / 1_000;
  const concurrency = settings.maximumConcurrency * settings.clickQueues;
  const utilisation = {
    ...useFront(settings, traffic),
    'messages in flight': inFlightShare,
    "the table's quota of write units": since('writeUnits') / seconds / limits.tableWriteUnits,
    'the concurrency of the aggregator': busySeconds / seconds / concurrency,
  };
  const [[part, share] = ['', 0]] = Object.entries(utilisation).toSorted(([, a], [, b]) => b - a);
  return `${part} (${Math.round(100 * share)}%)`;
}

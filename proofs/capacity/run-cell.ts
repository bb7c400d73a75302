import type { FunctionCode } from '../simulation/compiled-code.ts';
import type { Settings } from '../simulation/stage-settings.ts';
import { CapacityWorld } from './capacity-world.ts';
import type { Usage } from './costs.ts';
import { type Limited, nameLimit } from './first-limit.ts';
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
  const { traffic } = cell;
  const settings = readStage(cell.tuning);
  const previousPeakUnits = estimatePeakUnits(traffic, settings);
  const world = new CapacityWorld({ seed: 1, settings, traffic, previousPeakUnits }, code);
  let before = addUp(world);
  await world.run((seconds) => {
    if (seconds <= traffic.measureFromSeconds) before = addUp(world);
  });
  const after = addUp(world);
  return { ...cell, ...summarise(world, (name) => after[name] - before[name]) };
}

/**
 * The write units of the busiest second of a stage that had this traffic before. A click takes about
 * four units, and a window's clicks are written within a second.
 */
function estimatePeakUnits({ clicksPerSecond }: Traffic, { batchWindowMs }: Settings): number {
  return 4 * clicksPerSecond * Math.max(1, batchWindowMs / 1_000);
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

/** A finished world's figures. `since` reads a total of the measured time. */
function summarise(world: CapacityWorld, since: (name: keyof ReturnType<typeof addUp>) => number) {
  const { sums, lags, plan, seconds: now } = world;
  const seconds = now - plan.traffic.measureFromSeconds;
  const { counted } = sums;
  const [sent, waiting] = [since('sent'), world.sum(({ visible }) => visible)];
  const transactions = Math.max(1, since('transactions'));
  const limited: Limited = {
    holds: isHeld({ ...plan.traffic, sent, counted, seconds, waiting }),
    conflictShare: since('conflicts') / transactions,
    throttledShare: since('throttled') / transactions,
    inFlightShare: world.maxInFlight / limits.inFlight,
    concurrency: sums.invocationMs / (seconds * 1_000),
    writeUnitsPerSecond: since('writeUnits') / seconds,
  };
  return {
    offeredPerSecond: sent / seconds,
    countedPerSecond: counted / seconds,
    /** Whether the backlog does not grow. */
    holds: limited.holds,
    /** From the click to the end of the invocation that counted it, in ms. */
    lagMs: { p99: lags.percentile(99) + limits.busMs, worst: lags.max + limits.busMs },
    deadLetters: world.sum(({ deadLetters }) => deadLetters),
    saturatesFirst: nameLimit(limited, plan.traffic.clicksPerSecond, plan.settings),
    usage: {
      ...{ law: plan.traffic.law, clicks: counted, seconds },
      invocations: sums.batches,
      invocationSeconds: sums.invocationMs / 1_000,
      queueRequests: since('queueRequests'),
      writeUnits: since('writeUnits'),
      links: since('links'),
      logBytes: sums.logBytes,
    } satisfies Usage,
  };
}

/** The measured time starts and ends between batches, so not all sent clicks are counted in it. */
const heldShare = 0.9;

type Flow = Record<'sent' | 'counted' | 'seconds' | 'waiting', number> &
  Pick<Traffic, 'untilEmpty'>;

/** Whether at most a second's messages wait at the end, and the others are counted. */
export function isHeld({ sent, counted, seconds, waiting, untilEmpty }: Flow): boolean {
  const isCounted = untilEmpty === true || counted >= heldShare * sent;
  return waiting <= Math.max(10, sent / seconds) && isCounted;
}

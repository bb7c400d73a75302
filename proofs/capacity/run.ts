import type { FunctionCode } from '../simulation/compiled-code.ts';
import { cpuShare } from './cpu-fit.ts';
import { readCpu } from './cpu-record.ts';
import { type Cell, judge, type Result, snapshot, summarise, type Tuning } from './result.ts';
import { readStage, type StageSettings } from './stage.ts';
import { findTraffic, type Traffic } from './traffic.ts';
import { type CapacityPlan, CapacityWorld } from './world.ts';

/** Runs one cell, of the traffic that it names; the same cell gives the same result. */
export async function runCell(
  cell: Cell,
  code: FunctionCode,
  onSecond?: (seconds: number, until: number) => void,
  named: Traffic = findTraffic(cell.traffic),
): Promise<Result> {
  const world = createWorld(cell, code, named);
  const { traffic } = world.plan;
  let before = snapshot(world);
  let drained: number | undefined;
  const noteDrained = (seconds: number) => {
    if (world.queues.waiting === 0 && !isTroubled(traffic, seconds)) drained ??= seconds;
  };
  await world.run((seconds) => {
    if (seconds <= traffic.measureFromSeconds) before = snapshot(world);
    noteDrained(seconds);
    onSecond?.(seconds, traffic.untilSeconds);
  });
  // The run ends with its last message, which may be before the second is over.
  noteDrained(world.seconds);
  return summarise(cell, world, before, drained);
}

/** What a run depends on. Two stages may differ only before the queue, which is not run. */
export function describeWorld({ stage: name, ...asked }: Cell): string {
  const { stage, visitorsPerSecond, resolverConcurrency, ...settings } = readStage(name);
  return JSON.stringify({ asked, settings });
}

/**
 * The result of another stage that has the same world. Its log lines have the name of the stage that
 * ran, which may be a few bytes longer or shorter.
 */
export function asStage(result: Result, stage: string): Result {
  const settings = tune(readStage(stage), result.tuning);
  return { ...result, stage, ...judge(result, findTraffic(result.traffic), settings) };
}

/** A world that has not run yet: the cell's stage under this traffic. */
export function createWorld(
  cell: Cell,
  code: FunctionCode,
  named: Traffic,
  changes: Partial<CapacityPlan> = {},
): CapacityWorld {
  const traffic = shorten(named, cell.share);
  const settings = tune(readStage(cell.stage), cell.tuning);
  const cpu = readCpu();
  return new CapacityWorld(
    {
      ...{ seed: 1, settings, traffic, ids: 'placed' },
      cpu: { ...cpu.fit, initMs: cpu.initMs },
      cpuShare: cpuShare(settings.memoryMb),
      previousPeakUnits: estimateUnits(traffic),
      ...changes,
    },
    code,
  );
}

function shorten(traffic: Traffic, share = 1): Traffic {
  const { measureFromSeconds, untilSeconds, drains } = traffic;
  if (drains) return traffic;
  const seconds = Math.max(5, (untilSeconds - measureFromSeconds) * share);
  return { ...traffic, untilSeconds: measureFromSeconds + seconds };
}

function tune(settings: StageSettings, tuning: Tuning = {}): StageSettings {
  const { batchWindowSeconds, ...others } = tuning;
  const batchWindowMs = (batchWindowSeconds ?? settings.batchWindowMs / 1_000) * 1_000;
  return { ...settings, ...others, batchWindowMs };
}

/** A stage that has had this traffic before, but for its spike; a click takes about four units. */
function estimateUnits({ clicksPerSecond }: Traffic): number {
  return 4 * clicksPerSecond;
}

function isTroubled({ spike, outage }: Traffic, seconds: number): boolean {
  return seconds < ((spike ?? outage)?.untilSeconds ?? 0);
}

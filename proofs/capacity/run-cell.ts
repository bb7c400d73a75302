import type { FunctionCode } from '../simulation/compiled-code.ts';
import { CapacityWorld } from './capacity-world.ts';
import { cpuShare } from './cpu.ts';
import { type Cell, type Result, snapshot, summarise, type Tuning } from './result.ts';
import { readStage, type StageSettings } from './stage.ts';
import { findTraffic, type Traffic } from './traffic.ts';

/** Runs a cell. The same cell always has the same result. */
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
  // The run may end within a second, with its last message.
  noteDrained(world.seconds);
  return summarise(cell, world, before, drained);
}

function createWorld(cell: Cell, code: FunctionCode, named: Traffic): CapacityWorld {
  const traffic = shorten(named, cell.share);
  const settings = tune(readStage(cell.stage), cell.tuning);
  return new CapacityWorld(
    {
      ...{ seed: 1, settings, traffic },
      cpuShare: cpuShare(settings.memoryMb),
      previousPeakUnits: estimatePeakUnits(traffic, settings),
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

/**
 * The write units of the busiest second of a stage that had this traffic before, without a spike. A
 * click takes about four units, and a window's clicks are written within a second.
 */
function estimatePeakUnits({ clicksPerSecond }: Traffic, { batchWindowMs }: StageSettings): number {
  return 4 * clicksPerSecond * Math.max(1, batchWindowMs / 1_000);
}

function isTroubled({ spike, outage }: Traffic, seconds: number): boolean {
  return seconds < ((spike ?? outage)?.untilSeconds ?? 0);
}

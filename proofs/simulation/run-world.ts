import { createHash } from 'node:crypto';
import { ClickService } from './clicks/click-service.ts';
import type { FunctionCode } from './compiled-code.ts';
import type { Violation } from './queue-auditor.ts';
import { markerLifeMs } from './stage-settings.ts';
import type { Totals } from './statistics.ts';
import { World } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** The time limit for a world to settle without faults. */
const patienceMs = 2 * dayMs;
const maxRedrives = 5;
/** Few messages come at the end of their markers, so more of their requests fail. */
const lateFailureRate = 0.1;

export interface WorldResult {
  seed: number;
  violations: Violation[];
  totals: Totals;
  /** The same for all runs of a seed. */
  digest: string;
  /** The names of the faults that happened. */
  faults: string[];
}

/** Runs a world from its first message to the last audit. */
export async function runWorld(
  plan: WorldPlan,
  code: FunctionCode,
  write?: (line: string) => void,
): Promise<WorldResult> {
  const world = new World(plan, code, (each) => new ClickService(each), write);
  await live(world);
  return {
    seed: plan.seed,
    violations: world.service.auditor.violations,
    totals: world.statistics.totals,
    digest: digest(world),
    faults: world.faults.happened,
  };
}

async function live(world: World): Promise<void> {
  const { plan, time, service, mapping, queue, deadLetters } = world;
  await service.start();
  for (const afterMs of plan.deployAfterMs) time.after(afterMs, () => world.deploy());
  for (const afterMs of plan.redriveAfterMs) time.after(afterMs, () => world.redrive());
  await time.pass(plan.isLong ? 16 * dayMs : plan.spanMs + 20 * minuteMs);

  await world.endFaults();
  await service.mend();
  mapping.resume();
  await settle(world);
  service.auditor.checkDeadLetters(deadLetters.list());
  if (plan.isLong) await outliveMarkers(world);
  service.auditor.checkEnd(queue.list(), deadLetters.list());
  await service.finish();
}

/** Redrives until only unprocessable dead letters are left. */
async function settle(world: World): Promise<void> {
  const { time, service, queue, mapping, deadLetters } = world;
  for (let round = 0; round < maxRedrives; round += 1) {
    const endMs = time.nowMs + patienceMs;
    const isSettled = () => queue.size === 0 && mapping.isIdle && service.isIdle;
    await time.runUntil(() => isSettled() || time.nowMs > endMs);
    if (deadLetters.list().every(({ sent }) => service.auditor.mayStay(sent))) return;
    world.redrive();
  }
}

// Faults happen again while markers expire. TTL deletes them later, and may delete a spoilt sheet, but
// that sheet's dead letters are too old to redrive.
async function outliveMarkers(world: World): Promise<void> {
  const { plan, time, service, faults, mapping, deadLetters } = world;
  const old = new Set(deadLetters.list());
  const endMs = plan.startMs + markerLifeMs(plan.settings);
  faults.resume(lateFailureRate);
  service.sendLateCopies();
  for (const days of [0.5, 2]) time.after(endMs + days * dayMs - time.nowMs, () => world.redrive());
  await time.pass(endMs + 3 * dayMs - time.nowMs);
  await world.endFaults();
  mapping.resume();
  await settle(world);
  service.auditor.checkDeadLetters(deadLetters.list().filter((letter) => !old.has(letter)));
}

function digest({ statistics, items, faults, time }: World): string {
  const state = [statistics.totals, [...items.scan()], faults.happened, time.nowMs, time.fired];
  return createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 16);
}

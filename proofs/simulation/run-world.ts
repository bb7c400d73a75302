import { createHash } from 'node:crypto';
import { Recount } from '../../cli/verify/recount.ts';
import { toScannedCounts } from '../../cli/verify/scanned-counts.ts';
import type { Violation } from './clicks/click.ts';
import { toNative } from './dynamodb/native-items.ts';
import { purgeAll } from './link-lives.ts';
import { redrive } from './operators.ts';
import { markerLifeMs } from './stage-settings.ts';
import { checkStandby } from './standby/last-check.ts';
import type { Totals } from './statistics.ts';
import type { Versions } from './surroundings.ts';
import { World } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** The time limit for a world to settle without faults. */
const patienceMs = 2 * dayMs;
const maxRedrives = 5;
/** Few messages come late, so more of their requests fail. */
const lateFailureRate = 0.1;

export interface WorldResult {
  seed: number;
  violations: Violation[];
  totals: Totals;
  /** The same for all runs of a seed. */
  digest: string;
}

/** Runs a world from its first message to the last audit. */
export async function runWorld(
  plan: WorldPlan,
  versions: Versions,
  write?: (line: string) => void,
): Promise<WorldResult> {
  const world = new World(plan, versions, write);
  await passPhases(world);
  const { auditor, statistics, items, time } = world;
  const state = [statistics.totals, [...items.scan()], time.nowMs, time.fired];
  const digest = createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 16);
  return { seed: plan.seed, violations: auditor.violations, totals: statistics.totals, digest };
}

/** Traffic under faults, then quiet, then the late copies of clicks whose markers have expired. */
async function passPhases(world: World): Promise<void> {
  const { plan, time, auditor, queue } = world;
  world.start();
  for (const afterMs of plan.redriveAfterMs) time.after(afterMs, () => redrive(world));
  await time.pass(plan.isLong ? 16 * dayMs : plan.spanMs + 20 * minuteMs);

  await world.endFaults();
  world.createLink('late');
  world.resendUnpublished();
  await settle(world);
  verify(world);
  if (plan.isLong) await outliveMarkers(world);
  await checkStandby(world);
  if (plan.lives.length > 0) {
    await purgeAll(world);
    await checkStandby(world);
  }
  const messages = { waiting: queue.list(), dead: world.allDeadLetters };
  auditor.checkEnd(messages, [...world.items.scan()]);
}

/** Compares the counts as `npm run verify` does. It runs before markers expire and links are purged. */
function verify({ items, auditor, statistics }: World): void {
  if (Object.keys(statistics.totals).some((name) => /purge/.test(name))) return;
  const recount = new Recount({ since: '0' });
  const scanned = toScannedCounts([...items.scan()].map(toNative));
  recount.addFirst(scanned);
  recount.addSecond(scanned);
  const drifts = [
    recount.unevenTotals(),
    recount.unevenBreakdowns(),
    recount.unevenCampaigns(),
    recount.tooManyVisitors(),
    recount.drifts(),
  ];
  for (const drift of drifts.flatMap((some) => [...some])) auditor.onDrift(JSON.stringify(drift));
  recount.close();
}

/** Redrives until only unprocessable dead letters are left. */
async function settle(world: World): Promise<void> {
  const { time, auditor, mapping } = world;
  mapping.resume();
  for (let round = 0; round < maxRedrives; round += 1) {
    const endMs = time.nowMs + patienceMs;
    await time.runUntil(() => world.isSettled || time.nowMs > endMs);
    if (world.allDeadLetters.every(({ sent }) => auditor.mayStay(sent))) break;
    redrive(world);
  }
  auditor.checkDeadLetters(world.allDeadLetters);
}

// Faults happen again while copies of counted clicks arrive, become dead letters and are redriven after
// their markers have expired.
async function outliveMarkers(world: World): Promise<void> {
  const { plan, time, faults } = world;
  const endMs = plan.startMs + markerLifeMs(plan.settings);
  faults.resume(lateFailureRate);
  world.mapping.resume();
  world.sendLateCopies();
  for (const days of [0.5, 2]) time.after(endMs + days * dayMs - time.nowMs, () => redrive(world));
  await time.pass(endMs + 3 * dayMs - time.nowMs);
  await world.endFaults();
  await settle(world);
}

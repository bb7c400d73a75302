import { createHash } from 'node:crypto';
import { createRandom } from '../../../fixtures/random.ts';
import type { FunctionCode } from '../compiled-code.ts';
import type { WorldResult } from '../run-world.ts';
import { markerLifeMs } from '../settings.ts';
import { drawPlan, type PlanOptions, type WorldPlan } from '../world-plan.ts';
import { readOrderSettings } from './settings.ts';
import { lateVoucher, mendedCustomer, OrdersWorld } from './world.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** How long a world may need to settle without faults. */
const patienceMs = 2 * dayMs;
const maxRedrives = 5;
const settings = readOrderSettings();

/** Draws a world of orders: as many orders as the clicks' world has clicks, and the same faults. */
export function drawOrdersPlan(seed: number, options?: PlanOptions): WorldPlan {
  const random = createRandom(seed, 'orders: plan');
  return { ...drawPlan(seed, options), settings, visitShare: random.pick([0.1, 0.5, 0.9]) };
}

/** Runs one world of orders from the first order to the last audit. */
export async function runOrdersWorld(
  plan: WorldPlan,
  code: FunctionCode,
  write?: (line: string) => void,
): Promise<WorldResult> {
  const world = new OrdersWorld(plan, code, write);
  await live(world);
  return {
    seed: plan.seed,
    violations: world.auditor.violations,
    totals: world.statistics.totals,
    digest: digest(world),
    faults: world.faults.happened,
  };
}

async function live(world: OrdersWorld): Promise<void> {
  const { plan, time, auditor, shop } = world;
  shop.start();
  for (const afterMs of plan.deployAfterMs) time.after(afterMs, () => world.deploy());
  for (const afterMs of plan.redriveAfterMs) time.after(afterMs, () => world.redrive());
  await time.pass(plan.isLong ? 16 * dayMs : plan.spanMs + 20 * minuteMs);

  await world.endFaults();
  world.issueVoucher(lateVoucher);
  world.storeTotal(mendedCustomer, { N: '0' });
  world.mapping.resume();
  await settle(world);
  if (plan.isLong) await sendForgotten(world);
  auditor.checkEnd(world.queue.list(), world.deadLetters.list());
}

/** Redrives until the only dead letters are those that can never be booked. */
async function settle(world: OrdersWorld): Promise<void> {
  const { time, queue, mapping, deadLetters, auditor, shop } = world;
  for (let round = 0; round < maxRedrives; round += 1) {
    const endMs = time.nowMs + patienceMs;
    const isSettled = () => queue.size === 0 && mapping.isIdle && shop.isIdle;
    await time.runUntil(() => isSettled() || time.nowMs > endMs);
    if (!deadLetters.list().some((letter) => auditor.isGood(letter))) return;
    world.redrive();
  }
}

// Copies of orders whose markers have expired, though TTL has not deleted all of them.
async function sendForgotten(world: OrdersWorld): Promise<void> {
  const { plan, time, auditor, shop } = world;
  await time.pass(plan.startMs + markerLifeMs(plan.settings) + dayMs - time.nowMs);
  for (const order of auditor.listForgotten(100)) shop.enqueue(order);
  await settle(world);
}

function digest({ statistics, items, faults, time }: OrdersWorld): string {
  const state = [statistics.totals, [...items.scan()], faults.happened, time.nowMs, time.fired];
  return createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 16);
}

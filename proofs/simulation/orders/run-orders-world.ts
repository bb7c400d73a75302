import { createRandom } from '../../../fixtures/random.ts';
import type { FunctionCode } from '../compiled-code.ts';
import { markerLifeMs } from '../settings.ts';
import { dayMs, type WorldResult } from '../world.ts';
import { drawPlan, type PlanOptions, type WorldPlan } from '../world-plan.ts';
import { readOrderSettings } from './order-settings.ts';
import { lateVoucher, mendedCustomer, OrdersWorld } from './orders-world.ts';

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
  return world.result;
}

async function live(world: OrdersWorld): Promise<void> {
  const { plan, auditor, shop } = world;
  shop.start();
  await world.passPlan();

  await world.endFaults();
  world.issueVoucher(lateVoucher);
  world.storeTotal(mendedCustomer, { N: '0' });
  world.mapping.resume();
  await world.settle();
  if (plan.isLong) await sendForgotten(world);
  auditor.checkEnd(world.queue.list(), world.deadLetters.list());
}

// Copies of orders whose markers have expired, though TTL has not deleted all of them.
async function sendForgotten(world: OrdersWorld): Promise<void> {
  const { plan, time, auditor, shop } = world;
  await time.pass(plan.startMs + markerLifeMs(plan.settings) + dayMs - time.nowMs);
  for (const order of auditor.listForgotten(100)) shop.enqueue(order);
  await world.settle();
}

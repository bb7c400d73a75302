import { makeHttpEvent } from '../../../fixtures/http-events.ts';
import type { Random } from '../../../fixtures/random.ts';
import type { Faults } from '../faults.ts';
import type { Scheduler } from '../instance.ts';
import type { LambdaFunction, Outcome } from '../lambda.ts';
import type { Queue } from '../queue.ts';
import type { Trace } from '../trace.ts';
import type { WorldPlan } from '../world-plan.ts';
import type { Order } from './order.ts';
import type { HttpAnswer, OrderAuditor } from './order-auditor.ts';

const dayMs = 86_400_000;
/** A client waits so long before it sends its request again, then twice as long, up to half a day. */
const firstRetryMs = 2_000;
const maxRetryMs = dayMs / 2;
/** How often a client tries once there are no faults; before that, it never gives up. */
const faultFreeTries = 3;

const poison = [
  'poison',
  'null',
  '[]',
  '{"id":"no-customer","cents":1}',
  '{"id":"no-cents","customer":"customer-0"}',
  '{"id":"part-of-a-cent","customer":"customer-0","cents":0.5}',
  '{"id":"for-free","customer":"customer-0","cents":0}',
  '{"id":"two words","customer":"customer-0","cents":1}',
  '{"id":"","customer":"customer-0","cents":1}',
];

export interface ShopParts {
  plan: WorldPlan;
  time: Scheduler;
  random: Random;
  faults: Faults;
  queue: Queue;
  clerk: LambdaFunction;
  auditor: OrderAuditor;
  trace: Trace;
  /** Vouchers; some are not issued yet, or never. */
  vouchers: readonly string[];
  /** Customers whose total is no number, by mistake. */
  broken: readonly string[];
  /** Ids of orders that somebody else stored. */
  taken: readonly string[];
}

/** Customers: they send orders to the queue and to the endpoint, again and again. */
export class Shop {
  readonly #parts: ShopParts;
  /** Requests that have no answer yet. */
  #pending = 0;
  #requests = 0;

  constructor(parts: ShopParts) {
    this.#parts = parts;
  }

  /** No client waits for an answer. */
  get isIdle(): boolean {
    return this.#pending === 0;
  }

  start(): void {
    const { plan, time, random, vouchers } = this.#parts;
    const saleMs = new Map(vouchers.map((voucher) => [voucher, random.integer(0, plan.spanMs)]));
    for (let index = 0; index < plan.clicks; index += 1) {
      const order = this.#draw(index);
      // Customers hurry to be the first with a voucher, so its orders share batches.
      const startMs = saleMs.get(order.voucher ?? '') ?? random.integer(0, plan.spanMs);
      time.after(startMs, () => this.#send(order));
    }
  }

  /** Sends an order to the queue. */
  enqueue(order: Order): void {
    const { auditor, queue, time } = this.#parts;
    const body = JSON.stringify(order);
    auditor.onSent(body, order);
    queue.send(body, { label: order.id, sentMs: time.nowMs });
  }

  #draw(index: number): Order {
    const { plan, random, vouchers, broken, taken } = this.#parts;
    const isTaken = random.chance(0.01);
    const isBroken = random.chance(plan.brokenShare);
    const takenId = isTaken ? random.pick(taken) : undefined;
    const drawn = isBroken ? random.pick(broken) : `customer-${random.integer(1, plan.links)}`;
    const customer = takenId?.split('.')[0] ?? drawn;
    return {
      id: takenId ?? `${customer}.order-${index}`,
      customer,
      cents: random.integer(1, 1_000),
      ...(random.chance(0.3) && { voucher: random.pick(vouchers) }),
    };
  }

  #send(order: Order): void {
    const { plan, random, time } = this.#parts;
    if (random.chance(plan.poisonShare)) this.#sendPoison();
    // In this world, the visitors are those who come to the endpoint.
    const sendOnce = (copy: Order) =>
      random.chance(plan.visitShare) ? this.#request(copy) : this.enqueue(copy);
    sendOnce(order);
    if (!random.chance(plan.resendShare)) return;
    const laterMs = random.pick(plan.isLong ? [10, 5_000, 3 * dayMs] : [0, 10, 5_000]);
    const isChanged = random.chance(0.1);
    const copy = isChanged ? { ...order, cents: order.cents + 1 } : order;
    time.after(Math.ceil(random.exponential(laterMs)), () => sendOnce(copy));
  }

  #sendPoison(): void {
    const { random, auditor, queue, time } = this.#parts;
    const body = random.pick(poison);
    auditor.onSent(body, undefined);
    queue.send(body, { label: 'poison', sentMs: time.nowMs });
  }

  // A client repeats its request, with the same key, until it gets an answer.
  #request(order: Order, retryMs = firstRetryMs, triesLeft = faultFreeTries): void {
    const { auditor, time, faults, clerk, trace } = this.#parts;
    const { id, customer, ...body } = order;
    const text = JSON.stringify(order);
    if (retryMs === firstRetryMs) {
      auditor.onSent(text, order);
      this.#pending += 1;
    }
    const isFaultFree = faults.areOver;
    const headers = { 'idempotency-key': id.replace(/^.*\./, '') };
    const event = makeHttpEvent(
      { rawPath: '/orders', headers, body: JSON.stringify(body) },
      { caller: customer, method: 'POST' },
    );
    const repeat = () => {
      const left = isFaultFree ? triesLeft - 1 : triesLeft;
      const nextMs = Math.min(2 * retryMs, maxRetryMs);
      if (left > 0) time.after(retryMs, () => this.#request(order, nextMs, left));
      else this.#pending -= 1;
    };
    const finish = (outcome: Outcome) => {
      if ('answer' in outcome) {
        this.#pending -= 1;
        auditor.onAnswer(order, outcome.answer as HttpAnswer);
        return;
      }
      if (isFaultFree) auditor.onFaultFreeFailure(text);
      repeat();
    };
    const invoke = (onOutcome: (outcome: Outcome) => void) => {
      this.#requests += 1;
      const instance = clerk.invoke(`request-${this.#requests}`, event, onOutcome);
      trace.note(() => `${instance}: gets ${id}`);
    };
    this.#carry(invoke, finish, repeat);
  }

  #carry(
    invoke: (onOutcome: (outcome: Outcome) => void) => void,
    finish: (outcome: Outcome) => void,
    giveUp: () => void,
  ): void {
    const { time, random, faults, plan } = this.#parts;
    switch (faults.failureAt('shop → clerk: Invoke')) {
      case 'never sent':
      case 'refused':
        giveUp();
        return;
      case 'answer lost':
        invoke(() => {});
        time.after(plan.settings.functionTimeoutMs, giveUp);
        return;
      case 'late':
        time.after(random.exponential(60_000), () => invoke(finish));
        return;
      case 'twice':
        time.after(random.exponential(5_000), () => invoke(() => {}));
    }
    invoke(finish);
  }
}

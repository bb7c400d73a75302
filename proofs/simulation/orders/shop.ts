import { makeHttpEvent } from '../../../fixtures/http-events.ts';
import type { Random } from '../../../fixtures/random.ts';
import { invokeAcross } from '../invoke.ts';
import type { InvocationEnd } from '../lambda.ts';
import type { World } from '../world.ts';
import type { Order } from './order.ts';
import type { HttpAnswer, OrderAuditor } from './order-auditor.ts';

const dayMs = 86_400_000;
/** A client's first backoff. It doubles up to half a day. */
const firstRetryMs = 2_000;
const maxRetryMs = dayMs / 2;
/** A client's attempts after the faults. Before that, it never gives up. */
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

export const issuedVouchers = Array.from({ length: 5 }, (_, index) => `voucher-${index}`);
export const lateVoucher = 'voucher-late';
const vouchers = [...issuedVouchers, lateVoucher, 'voucher-never'];
/** Customers whose total isn't a number, temporarily or permanently. */
export const brokenCustomers = ['mended', 'broken'];
/** Ids of orders that the service did not store. */
export const takenIds = ['customer-1.taken', 'customer-2.taken', 'customer-3.taken'];

/** Customers, who send orders to the queue and to the endpoint repeatedly. */
export class Shop {
  readonly #world: World;
  readonly #auditor: OrderAuditor;
  readonly #random: Random;
  /** Unanswered requests. */
  #pending = 0;
  #requests = 0;

  constructor(world: World, auditor: OrderAuditor) {
    this.#world = world;
    this.#auditor = auditor;
    this.#random = world.random('shop');
  }

  /** Whether no client is waiting for an answer. */
  get isIdle(): boolean {
    return this.#pending === 0;
  }

  start(): void {
    const { plan, time } = this.#world;
    const saleMs = new Map(
      vouchers.map((voucher) => [voucher, this.#random.integer(0, plan.spanMs)]),
    );
    for (let index = 0; index < plan.clicks; index += 1) {
      const order = this.#draw(index);
      // All customers use a voucher at about the same time, so its orders share batches.
      const startMs = saleMs.get(order.voucher ?? '') ?? this.#random.integer(0, plan.spanMs);
      time.after(startMs, () => this.#send(order));
    }
  }

  /** Sends an order to the queue. */
  enqueue(order: Order): void {
    const { queue, time } = this.#world;
    this.#auditor.onSent(order);
    queue.send(JSON.stringify(order), { order, sentMs: time.nowMs });
  }

  #draw(index: number): Order {
    const { plan } = this.#world;
    const isTaken = this.#random.chance(0.01);
    const isBroken = this.#random.chance(plan.brokenShare);
    const takenId = isTaken ? this.#random.pick(takenIds) : undefined;
    const drawn = isBroken
      ? this.#random.pick(brokenCustomers)
      : `customer-${this.#random.integer(1, plan.links)}`;
    const customer = takenId?.split('.')[0] ?? drawn;
    return {
      id: takenId ?? `${customer}.order-${index}`,
      customer,
      cents: this.#random.integer(1, 1_000),
      ...(this.#random.chance(0.3) && { voucher: this.#random.pick(vouchers) }),
    };
  }

  #send(order: Order): void {
    const { plan, time } = this.#world;
    if (this.#random.chance(plan.poisonShare)) this.#sendPoison();
    // In this world, visits are orders at the endpoint.
    const sendOnce = (copy: Order) =>
      this.#random.chance(plan.visitShare) ? this.#request(copy) : this.enqueue(copy);
    sendOnce(order);
    if (!this.#random.chance(plan.resendShare)) return;
    const laterMs = this.#random.pick(plan.isLong ? [10, 5_000, 3 * dayMs] : [0, 10, 5_000]);
    const isChanged = this.#random.chance(0.1);
    const copy = isChanged ? { ...order, cents: order.cents + 1 } : order;
    time.after(Math.ceil(this.#random.exponential(laterMs)), () => sendOnce(copy));
  }

  #sendPoison(): void {
    const { queue, time } = this.#world;
    queue.send(this.#random.pick(poison), { sentMs: time.nowMs });
  }

  // A client repeats its request, with the same key, until it gets an answer.
  #request(order: Order, retryMs = firstRetryMs, triesLeft = faultFreeTries): void {
    const { plan, time, faults, trace } = this.#world;
    const { id, customer, ...body } = order;
    if (retryMs === firstRetryMs) {
      this.#auditor.onSent(order);
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
    const finish = (end: InvocationEnd) => {
      if ('answer' in end) {
        this.#pending -= 1;
        this.#auditor.onAnswer(order, end.answer as HttpAnswer);
        return;
      }
      if (isFaultFree) this.#auditor.onFaultFreeFailure({ order, sentMs: time.nowMs });
      repeat();
    };
    invokeAcross(this.#world, {
      ...{ boundary: 'shop → clerk: Invoke', random: this.#random, lateMs: 60_000, finish },
      timeoutMs: plan.settings.functionTimeoutMs,
      invoke: (onEnd) => {
        this.#requests += 1;
        const name = `request-${this.#requests}`;
        const instance = this.#world.functionOf('clerk').invoke(name, event, onEnd);
        trace.note(() => `${instance}: gets ${id}`);
      },
    });
  }
}

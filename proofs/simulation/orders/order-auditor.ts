import type { Change } from '../dynamodb/item-store.ts';
import type { Message, Received } from '../queue.ts';
import { QueueAuditor } from '../queue-auditor.ts';
import type { Sent } from '../sent.ts';
import { markerLifeMs, type Settings } from '../stage-settings.ts';
import { isSameOrder, type Order } from './order.ts';
import { type Booked, OrderLedger } from './order-ledger.ts';

/** Around a marker's expiry, its order may be a duplicate or be rejected. */
const marginMs = 3_600_000;

/** The orders with one id, and the batches that delivered them. */
interface SentOrders {
  orders: Order[];
  firstMs: number;
  /** How often it was sent, in any way. */
  times: number;
  deliveries: { batch: number; position: number }[];
}

/** An answer of the endpoint. */
export interface HttpAnswer {
  statusCode: number;
  body: string;
}

/** Checks every commit, every answer of the endpoint, and the final state. */
export class OrderAuditor extends QueueAuditor {
  readonly #settings: Settings;
  readonly #now: () => number;
  readonly #ledger: OrderLedger;
  readonly #sent = new Map<string, SentOrders>();
  /** Orders whose dead letter expired after two weeks. */
  readonly #expired = new Set<string>();
  /** Orders that the endpoint rejected. */
  readonly #refused = new Set<string>();
  #batches = 0;

  constructor(settings: Settings, now: () => number) {
    super();
    this.#settings = settings;
    this.#now = now;
    this.#ledger = new OrderLedger((...violation) => this.report(...violation), now);
  }

  /** A customer sends an order to the queue or to the endpoint. */
  onSent(order: Order): void {
    const known = this.#sent.get(order.id);
    if (!known) {
      const sent = { orders: [order], firstMs: this.#now(), times: 1, deliveries: [] };
      this.#sent.set(order.id, sent);
      return;
    }
    known.times += 1;
    if (!known.orders.some((other) => isSameOrder(other, order))) known.orders.push(order);
  }

  onCommit(changes: Change[]): void {
    for (const booked of this.#ledger.record(changes)) this.#checkBooked(booked);
  }

  onStoredByHand(changes: Change[]): void {
    this.#ledger.recordByHand(changes);
  }

  onInvoked(_instance: string, batch: Received[]): void {
    this.#batches += 1;
    for (const [position, { message }] of batch.entries()) {
      const { order } = message.sent;
      if (order) this.#sent.get(order.id)?.deliveries.push({ batch: this.#batches, position });
    }
  }

  override onExpired(message: Message, isDeadLetter: boolean): void {
    const { order } = message.sent;
    if (isDeadLetter && order) this.#expired.add(order.id);
    super.onExpired(message, isDeadLetter);
  }

  /** The endpoint answered a request. */
  onAnswer(order: Order, { statusCode, body }: HttpAnswer): void {
    const booked = this.#ledger.booked.get(order.id);
    const isSame = booked !== undefined && isSameOrder(booked.order, order);
    const isTrue: Record<number, boolean> = {
      201: isSame && this.#isAnswer(order, body),
      409: !this.#canSucceed(order),
      422: booked !== undefined && !isSame,
    };
    if (statusCode === 409) this.#refused.add(order.id);
    if (isTrue[statusCode]) return;
    this.report('answer', `an answer is not true: ${statusCode} ${body}`, [order.id]);
  }

  isDone({ order }: Sent): boolean {
    if (!order) return false;
    const booked = this.#ledger.booked.get(order.id);
    return booked !== undefined && isSameOrder(booked.order, order);
  }

  /** Around its marker's expiry, a copy of a booked order may fail. */
  isGood({ order }: Sent): boolean {
    return order !== undefined && this.#canSucceed(order);
  }

  /** Some booked orders whose markers have certainly expired. */
  listForgotten(max: number): Order[] {
    const old = [...this.#ledger.booked.values()].filter(
      ({ markerEndMs }) => markerEndMs < this.#now() - marginMs,
    );
    return old.slice(0, max).map(({ order }) => order);
  }

  protected checkSent(dead: Message[]): void {
    const deadIds = new Set(dead.map(({ sent }) => sent.order?.id));
    for (const [id, { orders }] of this.#sent) {
      if (this.#ledger.booked.has(id)) continue;
      const isAsTold = this.#refused.has(id);
      const isPossible = orders.some((order) => this.#ledger.isFree(order)) && !isAsTold;
      // A customer at the endpoint still has the order and knows that it isn't booked.
      const isKept = deadIds.has(id) || this.#expired.has(id) || !this.#wasQueued(id);
      if (isPossible || !isKept) {
        this.report('lost', `${id} is neither booked nor a dead letter`, [id]);
      }
    }
  }

  // As the first delivery, or as a copy.
  #canSucceed(order: Order): boolean {
    const booked = this.#ledger.booked.get(order.id);
    if (!booked) return this.#ledger.isFree(order);
    return isSameOrder(booked.order, order) && booked.markerEndMs > this.#now() + marginMs;
  }

  #wasQueued(id: string): boolean {
    return (this.#sent.get(id)?.deliveries.length ?? 0) > 0;
  }

  #checkBooked({ order, markerEndMs }: Booked): void {
    const sent = this.#sent.get(order.id);
    if (!sent?.orders.some((other) => isSameOrder(other, order))) {
      this.report('made up', 'an order was booked that nobody sent', [order.id]);
      return;
    }
    // An expiry is in whole seconds.
    if (markerEndMs + 1_000 < sent.firstMs + markerLifeMs(this.#settings)) {
      this.report('short marker', 'a marker expires while its order can come again', [order.id]);
    }
    if (order.voucher !== undefined) this.#checkArrival(order, order.voucher, sent);
  }

  // The first of two orders that were delivered only in one batch gets the voucher.
  #checkArrival({ id }: Order, voucher: string, { times, deliveries }: SentOrders): void {
    const [own] = deliveries;
    if (times > 1 || deliveries.length > 1 || !own) return;
    for (const [otherId, other] of this.#sent) {
      const [order] = other.orders;
      const [delivery] = other.deliveries;
      if (other.times > 1 || other.deliveries.length > 1 || order?.voucher !== voucher) continue;
      if (delivery?.batch !== own.batch || delivery.position >= own.position) continue;
      if (!this.#ledger.isFree({ id: order.id, customer: order.customer, cents: 0 })) continue;
      this.report('order of arrival', `${otherId} came earlier, with the same voucher`, [id]);
    }
  }

  // The answer is the order in JSON.
  #isAnswer(order: Order, body: string): boolean {
    try {
      return isSameOrder(JSON.parse(body) as Order, order);
    } catch {
      return false;
    }
  }
}

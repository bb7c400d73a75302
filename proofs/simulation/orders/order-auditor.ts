import type { Violation } from '../auditor.ts';
import type { Change } from '../dynamodb/item-store.ts';
import type { Message, Received } from '../queue.ts';
import { markerLifeMs, type Settings } from '../settings.ts';
import { isSameOrder, type Order } from './order.ts';
import { type Booked, OrderLedger } from './order-ledger.ts';

const maxViolations = 20;
/** While a marker expires, its order may pass for a duplicate or be refused. */
const marginMs = 3_600_000;

/** What was sent under one id, and where a batch brought it. */
interface Sent {
  orders: Order[];
  firstMs: number;
  /** How often it was sent, in whatever way. */
  times: number;
  deliveries: { batch: number; position: number }[];
}

/** An answer of the endpoint. */
export interface HttpAnswer {
  statusCode: number;
  body: string;
}

/**
 * Knows only what was sent, what is stored and what was answered, and nothing of how the example
 * works. It checks every commit, every message that leaves a queue, every answer, and the end.
 */
export class OrderAuditor {
  readonly violations: Violation[] = [];
  readonly #settings: Settings;
  readonly #now: () => number;
  readonly #ledger: OrderLedger;
  readonly #sent = new Map<string, Sent>();
  /** By the body of a message; undefined for poison. */
  readonly #bodies = new Map<string, Order | undefined>();
  readonly #queued = new Map<string, string>();
  /** Orders whose dead letter expired, which had waited two weeks for an operator. */
  readonly #expired = new Set<string>();
  /** Orders of which the endpoint said that they cannot be booked. */
  readonly #refused = new Set<string>();
  #batches = 0;

  constructor(settings: Settings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
    this.#ledger = new OrderLedger((...problem) => this.#report(...problem), now);
  }

  /** A customer sends an order to the queue or to the endpoint; undefined for poison. */
  onSent(body: string, order: Order | undefined): void {
    this.#bodies.set(body, order);
    if (!order) return;
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

  onEnqueued({ id, body }: Message): void {
    this.#queued.set(id, body);
  }

  /** The booker got a batch. */
  onInvoked(batch: Received[]): void {
    this.#batches += 1;
    for (const [position, { message }] of batch.entries()) {
      const order = this.#bodies.get(message.body);
      if (order) this.#sent.get(order.id)?.deliveries.push({ batch: this.#batches, position });
    }
  }

  /** A message was deleted from the queue as processed. */
  onDeleted({ id, body }: Message): void {
    const order = this.#bodies.get(body);
    if (!order) this.#report('poison taken for done', 'an invalid order was deleted', [id]);
    else if (!this.isBooked(order)) {
      this.#report('lost', 'a message was deleted, but its order is not booked', [order.id]);
    }
  }

  onDeadLetter({ id, body }: Message): void {
    if (this.#queued.get(id) !== body) this.#report('changed', 'a dead letter was changed', [id]);
  }

  onExpired({ id, body }: Message, isDeadLetter: boolean): void {
    const order = this.#bodies.get(body);
    if (isDeadLetter && order) this.#expired.add(order.id);
    if (isDeadLetter && !(order && this.#ledger.isFree(order))) return;
    this.#report('expired', 'a message expired before its order was booked', [order?.id ?? id]);
  }

  onStartFailure(instance: string, error: string): void {
    this.#report('broken', `${instance} did not start: ${error}`, [instance]);
  }

  /** An invocation that began in the fault-free phase did not take a message or a request. */
  onFaultFreeFailure(body: string): void {
    const order = this.#bodies.get(body);
    if (!order || !this.canSucceed(order)) return;
    this.#report('needless failure', 'a good order failed without any fault', [order.id]);
  }

  /** The endpoint answered a request. */
  onAnswer(order: Order, { statusCode, body }: HttpAnswer): void {
    const booked = this.#ledger.booked.get(order.id);
    const isSame = booked !== undefined && isSameOrder(booked.order, order);
    const isTrue: Record<number, boolean> = {
      201: isSame && this.#isAnswer(order, body),
      409: !this.canSucceed(order),
      422: booked !== undefined && !isSame,
    };
    if (statusCode === 409) this.#refused.add(order.id);
    if (isTrue[statusCode]) return;
    this.#report('answer', `an answer is not true: ${statusCode} ${body}`, [order.id]);
  }

  /** Whether this very order is booked. */
  isBooked(order: Order): boolean {
    const booked = this.#ledger.booked.get(order.id);
    return booked !== undefined && isSameOrder(booked.order, order);
  }

  /** Whether a delivery of this order must succeed as things are: as the first, or as a copy. */
  canSucceed(order: Order): boolean {
    const booked = this.#ledger.booked.get(order.id);
    if (!booked) return this.#ledger.isFree(order);
    return isSameOrder(booked.order, order) && booked.markerEndMs > this.#now() + marginMs;
  }

  /** Whether a message is a copy of an order that is booked. */
  isCopy({ body }: Message): boolean {
    const order = this.#bodies.get(body);
    return order !== undefined && this.isBooked(order);
  }

  /** Whether the order of a message can be booked, or is. */
  isGood({ body }: Message): boolean {
    const order = this.#bodies.get(body);
    return order !== undefined && this.canSucceed(order);
  }

  /** Some orders that are booked, and whose markers have expired for sure. */
  listForgotten(max: number): Order[] {
    const old = [...this.#ledger.booked.values()].filter(
      ({ markerEndMs }) => markerEndMs < this.#now() - marginMs,
    );
    return old.slice(0, max).map(({ order }) => order);
  }

  /** The last audit, once the world is at rest. */
  checkEnd(waiting: Message[], dead: Message[]): void {
    for (const { id } of waiting) this.#report('unsettled', 'a message never left the queue', [id]);
    const deadIds = new Set(dead.map(({ body }) => this.#bodies.get(body)?.id));
    for (const letter of dead) {
      if (!this.isGood(letter)) continue;
      this.#report('unsettled', 'a good order stays a dead letter', [
        this.#bodies.get(letter.body)?.id ?? letter.id,
      ]);
    }
    for (const [id, { orders }] of this.#sent) {
      if (this.#ledger.booked.has(id)) continue;
      const isAsTold = this.#refused.has(id);
      const isPossible = orders.some((order) => this.#ledger.isFree(order)) && !isAsTold;
      // A customer at the endpoint keeps the order, and is told that it is not booked.
      const isKept = deadIds.has(id) || this.#expired.has(id) || !this.#wasQueued(id);
      if (isPossible || !isKept) {
        this.#report('lost', `${id} is neither booked nor a dead letter`, [id]);
      }
    }
  }

  #wasQueued(id: string): boolean {
    return (this.#sent.get(id)?.deliveries.length ?? 0) > 0;
  }

  #checkBooked({ order, markerEndMs }: Booked): void {
    const sent = this.#sent.get(order.id);
    if (!sent?.orders.some((other) => isSameOrder(other, order))) {
      this.#report('made up', 'an order was booked that nobody sent', [order.id]);
      return;
    }
    // An expiry is in whole seconds.
    if (markerEndMs + 1_000 < sent.firstMs + markerLifeMs(this.#settings)) {
      this.#report('short marker', 'a marker expires while its order can come again', [order.id]);
    }
    if (order.voucher !== undefined) this.#checkArrival(order, order.voucher, sent);
  }

  // Of two orders that came in one batch and nowhere else, the first gets the voucher.
  #checkArrival({ id }: Order, voucher: string, { times, deliveries }: Sent): void {
    const [own] = deliveries;
    if (times > 1 || deliveries.length > 1 || !own) return;
    for (const [otherId, other] of this.#sent) {
      const [order] = other.orders;
      const [delivery] = other.deliveries;
      if (other.times > 1 || other.deliveries.length > 1 || order?.voucher !== voucher) continue;
      if (delivery?.batch !== own.batch || delivery.position >= own.position) continue;
      if (!this.#ledger.isFree({ id: order.id, customer: order.customer, cents: 0 })) continue;
      this.#report('order of arrival', `${otherId} came earlier, with the same voucher`, [id]);
    }
  }

  // The answer is the order, as it is in JSON.
  #isAnswer(order: Order, body: string): boolean {
    try {
      return isSameOrder(JSON.parse(body) as Order, order);
    } catch {
      return false;
    }
  }

  #report(kind: string, text: string, about: string[]): void {
    if (this.violations.length < maxViolations) this.violations.push({ kind, text, about });
  }
}

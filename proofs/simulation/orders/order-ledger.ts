import type { Item } from '../../../fixtures/dynamodb-items.ts';
import type { Change } from '../dynamodb/item-store.ts';
import { numberOf, textOf } from '../dynamodb/item-values.ts';
import type { Report } from '../queue-auditor.ts';
import { isSameOrder, type Order } from './order.ts';

/** A booked order, and its marker's expiry in epoch milliseconds. */
export interface Booked {
  order: Order;
  markerEndMs: number;
}

/** A commit's changes, by order id. */
interface Commit {
  orders: Map<string, Order>;
  outbox: Map<string, Order>;
  markers: Map<string, number>;
  /** By voucher: the order that redeemed it. */
  redeemed: Map<string, string>;
  customers: Set<string>;
}

/**
 * Follows the stored items commit by commit. It knows the items' layout from the example's README.md,
 * and nothing about how the functions work.
 */
export class OrderLedger {
  readonly booked = new Map<string, Booked>();
  readonly #report: Report;
  readonly #now: () => number;
  /** NaN if the sum isn't a number. */
  readonly #totals = new Map<string, number>();
  readonly #sums = new Map<string, number>();
  readonly #vouchers = new Map<string, string | undefined>();
  /** Orders that the service did not store. */
  readonly #foreign = new Set<string>();

  constructor(report: Report, now: () => number) {
    this.#report = report;
    this.#now = now;
  }

  /** Records the changes of one instant. Returns the booked orders. */
  record(changes: Change[]): Booked[] {
    const commit = this.#read(changes);
    const booked = [...commit.orders.values()].map((order) => this.#book(order, commit));
    this.#checkWhole(commit);
    for (const { order } of booked) commit.customers.add(order.customer);
    for (const customer of commit.customers) this.#checkTotal(customer);
    return booked;
  }

  /** Records items that were not stored by the functions. */
  recordByHand(changes: Change[]): void {
    for (const { after } of changes) {
      const [kind, name] = nameOf(after);
      if (kind === 'CUSTOMER') this.#totals.set(name, numberOf(after, 'cents'));
      else if (kind === 'VOUCHER') this.#vouchers.set(name, undefined);
      else this.#foreign.add(name);
    }
  }

  /** Whether an unbooked order can be booked. */
  isFree({ id, customer, voucher }: Order): boolean {
    if (this.booked.has(id) || this.#foreign.has(id)) return false;
    if (Number.isNaN(this.#totals.get(customer))) return false;
    return voucher === undefined || this.isIssued(voucher);
  }

  /** Whether a voucher exists and is not redeemed. */
  isIssued(voucher: string): boolean {
    return this.#vouchers.has(voucher) && this.#vouchers.get(voucher) === undefined;
  }

  #read(changes: Change[]): Commit {
    const commit: Commit = {
      orders: new Map(),
      outbox: new Map(),
      markers: new Map(),
      redeemed: new Map(),
      customers: new Set(),
    };
    for (const change of changes) this.#readChange(change, commit);
    return commit;
  }

  #readChange({ before, after }: Change, commit: Commit): void {
    const [kind, name] = nameOf(after);
    if (kind === 'CUSTOMER') {
      this.#totals.set(name, numberOf(after, 'cents'));
      commit.customers.add(name);
    } else if (kind === 'VOUCHER') {
      if (before?.redeemedBy) this.#report('counted twice', 'a voucher was redeemed again', [name]);
      commit.redeemed.set(name, textOf(after, 'redeemedBy'));
    } else if (kind === 'BOOKING') {
      const isAlive = numberOf(before ?? {}, 'ttl') * 1_000 > this.#now();
      if (isAlive) this.#report('changed', 'a marker was changed that has not expired', [name]);
      commit.markers.set(name, numberOf(after, 'ttl') * 1_000 || 0);
    } else if (kind === 'ORDER' || kind === 'OUTBOX') {
      if (before) this.#report('changed', `a stored item ${kind} was overwritten`, [name]);
      commit[kind === 'ORDER' ? 'orders' : 'outbox'].set(name, readOrder(name, after));
    } else this.#report('made up', `an item ${kind} appeared, which no order has`, [name]);
  }

  #book(order: Order, { markers, redeemed }: Commit): Booked {
    const { id, customer, cents, voucher } = order;
    if (this.booked.has(id)) this.#report('counted twice', 'an order was booked again', [id]);
    if (voucher !== undefined) {
      const isOwn = this.isIssued(voucher) && redeemed.get(voucher) === id;
      if (!isOwn) this.#report('voucher', `${voucher} was not redeemed with its order`, [id]);
      this.#vouchers.set(voucher, id);
      redeemed.delete(voucher);
    }
    this.#sums.set(customer, (this.#sums.get(customer) ?? 0) + cents);
    const booked = { order, markerEndMs: markers.get(id) ?? 0 };
    this.booked.set(id, booked);
    return booked;
  }

  // Order, marker and outbox item appear together, and a voucher is redeemed only for its order.
  #checkWhole({ orders, outbox, markers, redeemed }: Commit): void {
    for (const id of new Set([...orders.keys(), ...outbox.keys(), ...markers.keys()])) {
      const parts = [orders, markers, outbox].map((part) => part.has(id));
      if (parts.includes(false)) {
        const text = `expected order, marker and outbox item in one commit; got ${parts}`;
        this.#report('torn', text, [id]);
      }
      const [order, sent] = [orders.get(id), outbox.get(id)];
      if (order && sent && !isSameOrder(order, sent)) {
        this.#report('torn', 'the outbox tells of another order', [id]);
      }
    }
    for (const [voucher, id] of redeemed) {
      this.#report('voucher', `${voucher} was redeemed without its order`, [id]);
    }
  }

  #checkTotal(customer: string): void {
    const [total, sum] = [this.#totals.get(customer), this.#sums.get(customer) ?? 0];
    if (total === sum) return;
    const text = `the total of ${customer} is ${total}, but its orders sum to ${sum}`;
    this.#report('sums', text, [customer]);
  }
}

function nameOf(item: Item): [kind: string, name: string] {
  const [kind = '', name = ''] = textOf(item, 'PK').split('#');
  return [kind, name];
}

function readOrder(id: string, item: Item): Order {
  return {
    id,
    customer: textOf(item, 'customer'),
    cents: numberOf(item, 'cents'),
    ...(item.voucher && { voucher: textOf(item, 'voucher') }),
  };
}

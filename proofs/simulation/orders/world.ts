import type { AttributeValue } from '../../../fixtures/dynamodb-items.ts';
import { createRandom, type Random } from '../../../fixtures/random.ts';
import type { FunctionCode } from '../compiled-code.ts';
import { DynamoDb } from '../dynamodb/dynamodb.ts';
import { type Change, ItemStore, keyOf } from '../dynamodb/item-store.ts';
import { EventSourceMapping } from '../event-source-mapping.ts';
import { Faults } from '../faults.ts';
import type { OrderRole } from '../instance.ts';
import { LambdaFunction } from '../lambda.ts';
import { Network } from '../network.ts';
import { redrive } from '../operators.ts';
import { type Message, Queue } from '../queue.ts';
import { Statistics } from '../statistics.ts';
import { Trace } from '../trace.ts';
import { VirtualTime } from '../virtual-time.ts';
import type { WorldPlan } from '../world-plan.ts';
import { OrderAuditor } from './auditor.ts';
import { Shop } from './shop.ts';

/** Vouchers that are issued late, or never. */
export const lateVoucher = 'voucher-late';
const noVoucher = 'voucher-never';

/** Customers whose total is no number: for a while, or for good. */
export const mendedCustomer = 'mended';
const brokenCustomer = 'broken';

/** The world of packages/powertools-idempotency-transactional/examples/orders: its two functions in the middle, and AWS around them. */
export class OrdersWorld {
  readonly plan: WorldPlan;
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly statistics = new Statistics();
  readonly faults: Faults;
  readonly auditor: OrderAuditor;
  readonly items: ItemStore;
  readonly deadLetters: Queue;
  readonly queue: Queue;
  readonly functions: Record<OrderRole, LambdaFunction>;
  readonly mapping: EventSourceMapping;
  readonly shop: Shop;

  constructor(plan: WorldPlan, code: FunctionCode, write?: (line: string) => void) {
    this.plan = plan;
    this.time = new VirtualTime(plan.startMs);
    const now = () => this.time.nowMs;
    this.trace = new Trace(now, write);
    this.faults = new Faults({ plan, now, statistics: this.statistics, trace: this.trace });
    this.items = new ItemStore(this.#random('table'), now, (changes) => this.#onCommit(changes));
    this.auditor = new OrderAuditor(plan.settings, now);
    this.deadLetters = this.#createDeadLetterQueue();
    this.queue = this.#createQueue();
    this.functions = this.#createFunctions(code);
    this.mapping = this.#createMapping();
    this.shop = this.#createShop();
  }

  /** Moves all dead letters back, as operators do. */
  redrive(): void {
    const { plan, time, faults, statistics, trace, queue, deadLetters } = this;
    const own = { settings: plan.settings, random: this.#random(`redrive ${time.nowMs}`) };
    redrive({ ...own, time, faults, statistics, trace, queue, deadLetters });
  }

  /** A new version of both functions. */
  deploy(): void {
    this.statistics.add('deploys');
    this.trace.note(() => 'deploy: all instances end');
    for (const deployed of Object.values(this.functions)) deployed.deploy();
  }

  /** Stores the total of a customer as somebody else might write it. */
  storeTotal(customer: string, cents: AttributeValue): void {
    this.#storeByHand(`CUSTOMER#${customer}`, 'TOTAL', { cents });
  }

  issueVoucher(voucher: string): void {
    this.#storeByHand(`VOUCHER#${voucher}`, 'VOUCHER', {});
  }

  /** Ends the faults and drains what began under them. The mapping stays paused. */
  async endFaults(): Promise<void> {
    this.faults.end();
    this.mapping.pause();
    const isDrained = () =>
      this.mapping.isIdle && Object.values(this.functions).every(({ isAtRest }) => isAtRest);
    await this.time.runUntil(isDrained);
    this.trace.note(() => 'the fault-free phase begins');
  }

  #random(name: string): Random {
    return createRandom(this.plan.seed, `orders: ${name}`);
  }

  #storeByHand(PK: string, SK: string, attributes: Record<string, AttributeValue>): void {
    const item = { PK: { S: PK }, SK: { S: SK }, ...attributes };
    this.trace.note(() => `by hand: ${JSON.stringify(item)}`);
    const changes = new Map([[keyOf(item), item]]);
    this.items.commit(changes, (stored) => this.auditor.onStoredByHand(stored));
  }

  #createQueue(): Queue {
    const { settings, redeliveryRate } = this.plan;
    return new Queue({
      ...this.#queueParts('message'),
      retentionMs: settings.queueRetentionMs,
      visibilityTimeoutMs: settings.visibilityTimeoutMs,
      redeliveryRate: () => (this.faults.areOver ? 0 : redeliveryRate),
      redrive: {
        maxReceiveCount: settings.maxReceiveCount,
        onDeadLetter: (message) => this.#onDeadLetter(message),
      },
      onEnqueued: (message) => this.auditor.onEnqueued(message),
      onDeleted: (message) => this.#onDeleted(message),
      onExpired: (message) => this.auditor.onExpired(message, false),
    });
  }

  #createDeadLetterQueue(): Queue {
    return new Queue({
      ...this.#queueParts('letter'),
      retentionMs: this.plan.settings.deadLetterRetentionMs,
      visibilityTimeoutMs: 30_000,
      redeliveryRate: () => 0,
      onExpired: (message) => this.auditor.onExpired(message, true),
    });
  }

  #queueParts(name: string) {
    const { time, trace } = this;
    const after = (delayMs: number, action: () => void) => void time.after(delayMs, action);
    return { name, trace, after, now: () => time.nowMs, random: this.#random(name) };
  }

  #createFunctions(code: FunctionCode): Record<OrderRole, LambdaFunction> {
    const { time, faults, statistics, trace } = this;
    const { seed, settings } = this.plan;
    const network = this.#createNetwork();
    const create = (role: OrderRole) =>
      new LambdaFunction({
        ...{ role, code, seed, time, faults, statistics, trace, network },
        environment: { ...settings.environment, AWS_LAMBDA_FUNCTION_NAME: role },
        timeoutMs: settings.functionTimeoutMs,
        onLog: ({ name }, line) => trace.note(() => `${name} logs: ${line}`),
        onStartFailure: ({ name }, error) => this.auditor.onStartFailure(name, String(error)),
      });
    return { booker: create('booker'), clerk: create('clerk') };
  }

  #createMapping(): EventSourceMapping {
    const { plan, time, faults, statistics, trace, queue, functions, auditor } = this;
    return new EventSourceMapping({
      ...{ time, faults, statistics, trace, queue, settings: plan.settings },
      role: 'booker',
      aggregator: functions.booker,
      random: this.#random('mapping'),
      onDelivered: (message) => statistics.add('duplicates', Number(auditor.isCopy(message))),
      onInvoked: (_instance, batch) => auditor.onInvoked(batch),
      onFaultFreeFailure: ({ body }) => auditor.onFaultFreeFailure(body),
    });
  }

  #createNetwork(): Network {
    const { time, faults, trace, statistics, items, plan } = this;
    const { throttleRate, bareRefusalShare } = plan;
    const table = new DynamoDb({
      ...{ items, time, faults, statistics, throttleRate, bareRefusalShare },
      random: this.#random('dynamodb'),
    });
    return new Network({
      ...{ time, faults, trace, random: this.#random('network') },
      services: { DynamoDB_20120810: { name: 'table', service: table } },
      onSend: () => {},
    });
  }

  #createShop(): Shop {
    const { plan, time, faults, trace, queue, functions, auditor } = this;
    const issued = Array.from({ length: 5 }, (_, index) => `voucher-${index}`);
    const taken = ['customer-1.taken', 'customer-2.taken', 'customer-3.taken'];
    for (const voucher of issued) this.issueVoucher(voucher);
    for (const id of taken) this.#storeByHand(`ORDER#${id}`, 'ORDER', { cents: { N: '1' } });
    const broken = [mendedCustomer, brokenCustomer];
    for (const customer of broken) this.storeTotal(customer, { S: 'many' });
    return new Shop({
      ...{ plan, time, faults, trace, queue, auditor, clerk: functions.clerk, taken, broken },
      random: this.#random('shop'),
      vouchers: [...issued, lateVoucher, noVoucher],
    });
  }

  #onCommit(changes: Change[]): void {
    this.trace.note(() => `table: commits ${changes.map(({ key }) => key).join(' ')}`);
    this.auditor.onCommit(changes);
  }

  #onDeleted(message: Message): void {
    this.trace.note(() => `queue: deletes ${message.id} ${message.sent.label}`);
    this.statistics.add('deleted');
    this.auditor.onDeleted(message);
  }

  #onDeadLetter(message: Message): void {
    this.trace.note(() => `queue: moves ${message.id} ${message.sent.label} to the dead letters`);
    this.statistics.add('dead letters');
    this.auditor.onDeadLetter(message);
    this.deadLetters.takeOver(message);
  }
}

import { createHash } from 'node:crypto';
import type { Item } from '../../fixtures/dynamodb-items.ts';
import { createRandom, type Random } from '../../fixtures/random.ts';
import type { Violation } from './auditor.ts';
import type { Sent } from './click.ts';
import type { FunctionCode } from './compiled-code.ts';
import { DynamoDb } from './dynamodb/dynamodb.ts';
import { type Change, ItemStore, keyOf } from './dynamodb/item-store.ts';
import { EventSourceMapping, type MappingParts } from './event-source-mapping.ts';
import { Faults } from './faults.ts';
import { LambdaFunction, type LambdaParts } from './lambda.ts';
import { Network, type NetworkParts } from './network.ts';
import { redrive } from './operators.ts';
import { type Message, Queue } from './queue.ts';
import type { QueueAuditor } from './queue-auditor.ts';
import { Statistics, type Totals } from './statistics.ts';
import { Trace } from './trace.ts';
import { VirtualTime } from './virtual-time.ts';
import type { WorldPlan } from './world-plan.ts';

const minuteMs = 60_000;
export const dayMs = 24 * 60 * minuteMs;
/** How long a world may need to settle without faults. */
const patienceMs = 2 * dayMs;
const maxRedrives = 5;

export interface WorldResult {
  seed: number;
  violations: Violation[];
  totals: Totals;
  /** Equal for all runs of one seed. */
  digest: string;
  /** The names of the faults that happened. */
  faults: string[];
}

/** AWS around a service: a table, a queue with its dead letters, time, and faults. */
export abstract class World {
  readonly plan: WorldPlan;
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly statistics = new Statistics();
  readonly faults: Faults;
  readonly items: ItemStore;
  readonly deadLetters: Queue;
  readonly queue: Queue;
  abstract readonly auditor: QueueAuditor;
  abstract readonly functions: Record<string, LambdaFunction>;
  abstract readonly mapping: EventSourceMapping;
  readonly #randomPrefix: string;

  /** `randomPrefix` keeps the draws of two services apart. */
  constructor(plan: WorldPlan, write?: (line: string) => void, randomPrefix = '') {
    this.plan = plan;
    this.#randomPrefix = randomPrefix;
    this.time = new VirtualTime(plan.startMs);
    const now = () => this.time.nowMs;
    this.trace = new Trace(now, write);
    this.faults = new Faults({ plan, now, statistics: this.statistics, trace: this.trace });
    this.items = new ItemStore(this.random('table'), now, (changes) => this.onCommit(changes));
    this.deadLetters = this.#createDeadLetterQueue();
    this.queue = this.#createQueue();
  }

  /** Whether a dead letter can be processed, or is, so that operators move it back. */
  protected abstract isGood(letter: Message): boolean;

  /** Nothing is on its way to the queue. */
  protected abstract get isQuiet(): boolean;

  /** What a message is that a function sent; undefined where none sends any. */
  protected identify(_body: string): Sent | undefined {
    return undefined;
  }

  /** The functions that a new version replaces. */
  protected get deployed(): LambdaFunction[] {
    return Object.values(this.functions);
  }

  /** A new version of the service. */
  deploy(): void {
    this.statistics.add('deploys');
    this.trace.note(() => 'deploy: all instances end');
    for (const deployed of this.deployed) deployed.deploy();
  }

  /** Moves all dead letters back, as operators do. */
  redrive(): void {
    const { plan, time, faults, statistics, trace, queue, deadLetters } = this;
    const own = { settings: plan.settings, random: this.random(`redrive ${time.nowMs}`) };
    redrive({ ...own, time, faults, statistics, trace, queue, deadLetters });
  }

  /** Stores an item as another tool might have written it. */
  storeByHand(item: Item): void {
    this.trace.note(() => `by hand: ${JSON.stringify(item)}`);
    this.items.commit(new Map([[keyOf(item), item]]), (stored) => this.onStoredByHand(stored));
  }

  /** Lets deployments, redrives and the planned time pass, under faults. */
  async passPlan(): Promise<void> {
    const { plan, time } = this;
    for (const afterMs of plan.deployAfterMs) time.after(afterMs, () => this.deploy());
    for (const afterMs of plan.redriveAfterMs) time.after(afterMs, () => this.redrive());
    await time.pass(plan.isLong ? 16 * dayMs : plan.spanMs + 20 * minuteMs);
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

  /** Redrives until the only dead letters are those that can never be processed. */
  async settle(): Promise<void> {
    const { time, queue, mapping, deadLetters } = this;
    for (let round = 0; round < maxRedrives; round += 1) {
      const endMs = time.nowMs + patienceMs;
      const isSettled = () => queue.size === 0 && mapping.isIdle && this.isQuiet;
      await time.runUntil(() => isSettled() || time.nowMs > endMs);
      if (!deadLetters.list().some((letter) => this.isGood(letter))) return;
      this.redrive();
    }
  }

  get result(): WorldResult {
    const { plan, statistics, items, faults, time } = this;
    const state = [statistics.totals, [...items.scan()], faults.happened, time.nowMs, time.fired];
    return {
      seed: plan.seed,
      violations: this.auditor.violations,
      totals: statistics.totals,
      digest: createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 16),
      faults: faults.happened,
    };
  }

  protected random(name: string): Random {
    return createRandom(this.plan.seed, `${this.#randomPrefix}${name}`);
  }

  protected onCommit(changes: Change[]): void {
    this.trace.note(() => `table: commits ${changes.map(({ key }) => key).join(' ')}`);
    this.auditor.onCommit(changes);
  }

  protected onStoredByHand(stored: Change[]): void {
    this.auditor.onStoredByHand(stored);
  }

  protected createFunction(
    parts: Pick<LambdaParts, 'role' | 'network' | 'environment' | 'timeoutMs' | 'onLog'>,
    code: FunctionCode,
  ): LambdaFunction {
    const { time, faults, statistics, trace } = this;
    return new LambdaFunction({
      ...{ ...parts, code, seed: this.plan.seed, time, faults, statistics, trace },
      onStartFailure: ({ name }, error) => this.auditor.onStartFailure(name, String(error)),
    });
  }

  protected createMapping(
    parts: Pick<
      MappingParts,
      'aggregator' | 'role' | 'onDelivered' | 'onInvoked' | 'onFaultFreeFailure'
    >,
  ): EventSourceMapping {
    const { plan, time, faults, statistics, trace, queue } = this;
    return new EventSourceMapping({
      ...{ ...parts, time, faults, statistics, trace, queue, settings: plan.settings },
      random: this.random('mapping'),
    });
  }

  /** The network between the functions, their table and these other services. */
  protected createNetwork(
    others: NetworkParts['services'] = {},
    onSend: NetworkParts['onSend'] = () => {},
  ): Network {
    const { time, faults, trace, statistics, items, plan } = this;
    const { throttleRate, bareRefusalShare } = plan;
    const table = new DynamoDb({
      ...{ items, time, faults, statistics, throttleRate, bareRefusalShare },
      random: this.random('dynamodb'),
    });
    return new Network({
      ...{ time, faults, trace, random: this.random('network'), onSend },
      services: { DynamoDB_20120810: { name: 'table', service: table }, ...others },
    });
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
      identify: (body) => this.identify(body),
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
    return { name, trace, after, now: () => time.nowMs, random: this.random(name) };
  }

  #onDeleted(message: Message): void {
    this.trace.note(() => `queue: deletes ${nameOf(message)}`);
    this.statistics.add('deleted');
    this.auditor.onDeleted(message);
  }

  #onDeadLetter(message: Message): void {
    this.trace.note(() => `queue: moves ${nameOf(message)} to the dead letters`);
    this.statistics.add('dead letters');
    this.auditor.onDeadLetter(message);
    this.deadLetters.takeOver(message);
  }
}

function nameOf({ id, sent }: Message): string {
  return `${id} ${sent.label ?? sent.click?.id ?? 'poison'}`;
}

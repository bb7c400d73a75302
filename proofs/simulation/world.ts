import type { Item } from '../../fixtures/dynamodb-items.ts';
import { createRandom, type Random } from '../../fixtures/random.ts';
import { Auditor } from './auditor.ts';
import { type Click, clickOfEvent, clicksOfRequest, type Sent } from './click.ts';
import type { FunctionCode } from './compiled-code.ts';
import { type Change, ItemStore, keyOf } from './dynamodb/item-store.ts';
import { EventBus } from './event-bus.ts';
import { EventSourceMapping } from './event-source-mapping.ts';
import { Faults } from './faults.ts';
import { HttpApi } from './http-api.ts';
import { type CountingRole, countingRoles, currentInvocation, type Instance } from './instance.ts';
import { LambdaFunction } from './lambda.ts';
import { LiveWorld } from './live/live-world.ts';
import { countReported } from './metrics.ts';
import type { readRequest } from './network.ts';
import { redrive } from './operators.ts';
import { type Message, Queue } from './queue.ts';
import { createServiceNetwork } from './service-network.ts';
import { apiTimeoutMs, environmentOf } from './settings.ts';
import { SpoiltPages } from './spoilt-pages.ts';
import { Statistics } from './statistics.ts';
import { Trace } from './trace.ts';
import { Traffic, type TrafficParts } from './traffic.ts';
import { VirtualTime } from './virtual-time.ts';
import type { WorldPlan } from './world-plan.ts';

/** A world, put together: the service's functions in the middle, and AWS around them. */
export class World {
  readonly plan: WorldPlan;
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly statistics = new Statistics();
  readonly faults: Faults;
  readonly auditor: Auditor;
  readonly items: ItemStore;
  readonly deadLetters: Queue;
  readonly queue: Queue;
  readonly bus: EventBus;
  readonly functions: Record<CountingRole, LambdaFunction>;
  readonly mapping: EventSourceMapping;
  readonly api: HttpApi;
  readonly spoiltPages: SpoiltPages;
  /** The messages whose failure the aggregator has explained in its log. */
  readonly explained = new Set<string>();
  /** What is behind the table's stream, if anything is. */
  readonly live?: LiveWorld;
  #traffic?: Traffic;

  constructor(plan: WorldPlan, code: FunctionCode, write?: (line: string) => void) {
    this.plan = plan;
    this.time = new VirtualTime(plan.startMs);
    const now = () => this.time.nowMs;
    this.trace = new Trace(now, write);
    this.faults = new Faults({ plan, now, statistics: this.statistics, trace: this.trace });
    this.items = new ItemStore(this.#random('table'), now, (changes) => this.#onCommit(changes));
    this.auditor = new Auditor(plan.settings, now, (page) => this.items.has(page, 'CLICK'));
    this.deadLetters = this.#createDeadLetterQueue();
    this.queue = this.#createQueue();
    this.bus = this.#createBus();
    this.functions = this.#createFunctions(code);
    this.mapping = this.#createMapping();
    this.api = new HttpApi(this, this.#random('visitors'));
    this.spoiltPages = new SpoiltPages(this, this.#random('spoilt pages'));
    if (plan.push.state !== 'absent') this.live = new LiveWorld(this, code);
  }

  /** Sends clicks, and all that goes with them. */
  createTraffic(links: Pick<TrafficParts, 'codes' | 'strays' | 'broken'>): Traffic {
    const { plan, time, bus, queue, auditor, api } = this;
    const [random, values] = [this.#random('traffic'), this.#random('values')];
    this.#traffic = new Traffic({
      ...{ plan, time, bus, queue, ...links, random, values },
      visit: (code) => api.visit(code),
      spoilPage: (id) => this.spoiltPages.spoil(id),
      onSent: (sent) => auditor.onSent(sent),
    });
    return this.#traffic;
  }

  /** Moves all dead letters back, as operators do. */
  redrive(): void {
    const { plan, time, faults, statistics, trace, queue, deadLetters } = this;
    const own = { settings: plan.settings, random: this.#random(`redrive ${time.nowMs}`) };
    redrive({ ...own, time, faults, statistics, trace, queue, deadLetters });
  }

  /** A new version of the aggregator and the resolver. */
  deploy(): void {
    this.statistics.add('deploys');
    this.trace.note(() => 'deploy: all instances end');
    this.functions.aggregator.deploy();
    this.functions.resolver.deploy();
    this.live?.deploy();
  }

  /** Stores an item as another tool might have written it. */
  storeByHand(item: Item): void {
    this.trace.note(() => `by hand: ${JSON.stringify(item)}`);
    const changes = new Map([[keyOf(item), item]]);
    this.items.commit(changes, (stored) => {
      this.auditor.onStoredByHand(stored);
      this.live?.onCommit(stored);
    });
  }

  /** Ends the faults and drains what began under them. The mapping stays paused. */
  async endFaults(): Promise<void> {
    this.faults.end();
    this.mapping.pause();
    const isDrained = () =>
      this.mapping.isIdle && Object.values(this.functions).every(({ isAtRest }) => isAtRest);
    await this.time.runUntil(isDrained);
    this.live?.onFaultsEnded();
    this.trace.note(() => 'the fault-free phase begins');
  }

  #random(name: string): Random {
    return createRandom(this.plan.seed, name);
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
      identify: (body) => this.#onTaken(clickOfEvent(body)),
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

  #createBus(): EventBus {
    const { time, faults, queue, plan } = this;
    const { busRetryMs, deadLetterRetentionMs } = plan.settings;
    return new EventBus({
      ...{ time, faults, queue, random: this.#random('bus') },
      maxLateMs: plan.isLong ? busRetryMs + deadLetterRetentionMs : 60_000,
      onTaken: (click) => this.#onTaken(click),
    });
  }

  #createFunctions(code: FunctionCode): Record<CountingRole, LambdaFunction> {
    const { time, faults, statistics, trace } = this;
    const { seed, settings } = this.plan;
    const network = createServiceNetwork(this, (...sent) => this.#onSend(...sent));
    const create = (role: CountingRole) =>
      new LambdaFunction({
        ...{ role, code, seed, time, faults, statistics, trace, network },
        environment: environmentOf(role, settings),
        timeoutMs: role === 'aggregator' ? settings.functionTimeoutMs : apiTimeoutMs,
        onLog: (instance, line) => this.#onLog(instance, line),
        onStartFailure: ({ name }, error) => this.auditor.onStartFailure(name, String(error)),
      });
    const created = Object.fromEntries(countingRoles.map((role) => [role, create(role)]));
    return created as Record<CountingRole, LambdaFunction>;
  }

  #createMapping(): EventSourceMapping {
    const { plan, time, faults, statistics, trace, queue, functions } = this;
    return new EventSourceMapping({
      ...{ time, faults, statistics, trace, queue, settings: plan.settings },
      aggregator: functions.aggregator,
      random: this.#random('mapping'),
      onDelivered: ({ sent }) => statistics.add('duplicates', Number(this.auditor.isCounted(sent))),
      onInvoked: (instance, batch) => this.auditor.onInvoked(instance, batch.length),
      onFaultFreeFailure: (message) => this.auditor.onFaultFreeFailure(message),
    });
  }

  #onSend(caller: Instance, { operation, input }: ReturnType<typeof readRequest>): void {
    if (caller.role !== 'resolver') return;
    const visit = currentInvocation.getStore() ?? '';
    for (const click of clicksOfRequest(operation, input)) {
      this.auditor.visits.onSending(visit, caller.name, click);
    }
  }

  #onTaken(click: Click): Sent {
    const sent = { click, sentMs: this.time.nowMs };
    this.auditor.visits.onTaken(click);
    this.auditor.onSent(sent);
    this.#traffic?.copyVisit(click);
    return sent;
  }

  #onCommit(changes: Change[]): void {
    this.trace.note(() => `table: commits ${changes.map(({ key }) => key).join(' ')}`);
    this.auditor.onCommit(changes);
    this.live?.onCommit(changes);
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

  // Most lines are of no interest, so few are parsed.
  #onLog(instance: Instance, line: string): void {
    this.trace.note(() => `${instance.name} logs: ${line}`);
    if (instance.role === 'resolver' && line.includes('"queueError"')) {
      this.api.onUnpublished(JSON.parse(line).event);
    }
    if (instance.role !== 'aggregator') return;
    if (line.startsWith('{"_aws"')) this.auditor.onMetrics(instance.name, countReported(line));
    else if (line.includes('"reason"')) {
      const [, messageId] = /"messageId":"([^"]+)"/.exec(line) ?? [];
      if (messageId) this.explained.add(messageId);
    }
  }
}

function nameOf({ id, sent }: Message): string {
  return `${id} ${sent.click?.id ?? 'poison'}`;
}

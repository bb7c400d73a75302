import { type Click, clickOfEvent, clicksOfRequest } from './clicks/click.ts';
import { ClickAuditor } from './clicks/click-auditor.ts';
import { ClickTraffic } from './clicks/click-traffic.ts';
import { EventBus } from './clicks/event-bus.ts';
import { HttpApi } from './clicks/http-api.ts';
import type { FunctionCode } from './compiled-code.ts';
import { DynamoDb } from './dynamodb/dynamodb.ts';
import { type Change, ItemStore } from './dynamodb/item-store.ts';
import { EventSourceMapping } from './event-source-mapping.ts';
import { currentInvocation, type Instance, type Role, roles } from './instance.ts';
import { LambdaFunction } from './lambda.ts';
import { Network } from './network.ts';
import { redrive } from './operators.ts';
import { type Message, Queue } from './queue.ts';
import { idsOf, type Sent } from './sent.ts';
import { apiTimeoutMs, environmentOf } from './stage-settings.ts';
import { Surroundings } from './surroundings.ts';
import type { WorldPlan } from './world-plan.ts';

/** Each concurrent request needs an instance, and starting instances dominates a small world's time. */
const createdAtOnce = 8;

/** click-tally's functions in the middle, AWS around them, and the traffic and its auditor. */
export class World extends Surroundings {
  readonly auditor: ClickAuditor;
  readonly items: ItemStore;
  readonly deadLetters: Queue;
  readonly queue: Queue;
  readonly bus: EventBus;
  readonly api: HttpApi;
  readonly mapping: EventSourceMapping;
  readonly #functions: Record<Role, LambdaFunction>;
  readonly #traffic: ClickTraffic;
  readonly #codes: readonly string[];

  constructor(plan: WorldPlan, code: FunctionCode, write?: (line: string) => void) {
    super(plan, code, write);
    const { settings, links } = plan;
    this.#codes = Array.from({ length: links }, (_, index) => `link-${index}`);
    this.auditor = new ClickAuditor(settings, this.now);
    this.items = new ItemStore(this.random('table'), this.now, (stored) => this.#onCommit(stored));
    this.deadLetters = this.#createDeadLetterQueue();
    this.queue = this.#createQueue();
    this.bus = new EventBus(
      this,
      this.queue,
      (click) => this.#onTaken(click),
      (sent) => this.auditor.onLeft(sent),
    );
    this.#functions = this.#createFunctions();
    this.mapping = new EventSourceMapping(this);
    this.api = new HttpApi(this, {
      functionOf: (role) => this.functionOf(role),
      visits: this.auditor.visits,
    });
    this.#traffic = new ClickTraffic(this, {
      ...{ bus: this.bus, api: this.api, queue: this.queue, codes: this.#codes },
      onSent: (sent) => this.auditor.onSent(sent),
    });
  }

  functionOf(role: Role): LambdaFunction {
    return this.#functions[role];
  }

  /** Whether nothing is on its way to the queue, in it, or being processed. */
  get isSettled(): boolean {
    return this.queue.size === 0 && this.mapping.isIdle && this.bus.pending === 0;
  }

  /** Creates the links and starts the traffic. */
  async start(): Promise<void> {
    const { plan, time } = this;
    await this.createLinks(this.#codes);
    this.#traffic.start();
    if (plan.seed % 2 === 0) time.after(plan.spanMs / 2, () => this.api.createLink('late'));
  }

  /** Retries until every link exists. */
  async createLinks(codes: readonly string[]): Promise<void> {
    const waiting = codes.values();
    let left = codes.length;
    const createNext = () => {
      const next = waiting.next();
      if (next.done) return;
      this.api.createLink(next.value, () => {
        left -= 1;
        createNext();
      });
    };
    for (let request = 0; request < createdAtOnce; request += 1) createNext();
    await this.time.runUntil(() => left === 0);
  }

  /** Sends copies of counted clicks, as late as the guarantee permits. */
  sendLateCopies(): void {
    this.#traffic.copyLate(this.auditor.countedClicks(50));
  }

  /** Operators send the events that the resolver could only log. */
  resendUnpublished(): void {
    for (const event of this.api.unpublished) {
      const body = JSON.stringify(event);
      const sent = { click: clickOfEvent(body), sentMs: this.time.nowMs };
      this.auditor.onSent(sent);
      this.queue.send(body, sent);
    }
  }

  /** Moves all dead letters back, as operators do. */
  redrive(): void {
    redrive(this);
  }

  /** A new version of the service. */
  deploy(): void {
    this.statistics.add('deploys');
    this.trace.note(() => 'deploy: all instances end');
    this.functionOf('aggregator').deploy();
    this.functionOf('resolver').deploy();
  }

  /** Ends the faults and drains what started under them. The mapping stays paused. */
  async endFaults(): Promise<void> {
    this.faults.end();
    this.mapping.pause();
    const isDrained = () =>
      this.mapping.isIdle && Object.values(this.#functions).every(({ isAtRest }) => isAtRest);
    await this.time.runUntil(isDrained);
    this.trace.note(() => 'the fault-free phase begins');
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
    return { name, trace, time, random: this.random(name) };
  }

  #createFunctions(): Record<Role, LambdaFunction> {
    const { code, faults, plan, statistics, time, trace } = this;
    const { settings } = plan;
    const shared = { code, faults, statistics, time, trace, seed: plan.seed };
    const network = this.#createNetwork();
    const create = (role: Role) =>
      new LambdaFunction({
        ...{ ...shared, role, network, environment: environmentOf(role, settings) },
        timeoutMs: role === 'aggregator' ? settings.functionTimeoutMs : apiTimeoutMs,
        onLog: (instance, line) => this.#onLog(instance, line),
        onStartFailure: ({ name }, error) => this.auditor.onStartFailure(name, error),
      });
    const functions = roles.map((role) => [role, create(role)]);
    return Object.fromEntries(functions) as Record<Role, LambdaFunction>;
  }

  #createNetwork(): Network {
    const { faults, items, plan, statistics, time, trace } = this;
    const table = new DynamoDb({
      ...{ ...plan, items, time, faults, statistics, random: this.random('dynamodb') },
    });
    return new Network({
      ...{ time, faults, trace, random: this.random('network') },
      services: {
        DynamoDB_20120810: { name: 'table', service: table },
        AWSEvents: { name: 'bus', service: this.bus },
        AmazonSQS: { name: 'queue', service: this.queue },
      },
      onSend: ({ role }, { operation, input }) => {
        if (role !== 'resolver') return;
        const visit = currentInvocation.getStore() ?? '';
        for (const click of clicksOfRequest(operation, input)) {
          this.auditor.visits.onSending(visit, click);
        }
      },
    });
  }

  #onLog({ name, role }: Instance, line: string): void {
    this.trace.note(() => `${name} logs: ${line}`);
    if (role !== 'resolver' || !line.includes('Neither the bus nor the queue')) return;
    this.api.onUnpublished(JSON.parse(line).event);
  }

  // The bus or the queue accepted a click of the resolver.
  #onTaken(click: Click): Sent {
    const sent = { click, sentMs: this.time.nowMs };
    this.auditor.visits.onTaken(click);
    this.auditor.onSent(sent);
    this.#traffic.copyVisit(click);
    return sent;
  }

  #onCommit(changes: Change[]): void {
    this.trace.note(() => `table: commits ${changes.map(({ key }) => key).join(' ')}`);
    this.auditor.onCommit(changes);
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
  return `${id} ${idsOf(sent)[0] ?? 'poison'}`;
}

import { createRandom, type Random } from '../kit/random.ts';
import { Auditor, type Click, type Sent } from './auditor.ts';
import type { Code, Logged } from './code.ts';
import { DynamoDb } from './dynamodb/service.ts';
import { type Change, Table } from './dynamodb/table.ts';
import { clickOfEvent, EventBus } from './event-bus.ts';
import { EventSourceMapping } from './event-source-mapping.ts';
import { Faults } from './faults.ts';
import { FrontDoor } from './front-door.ts';
import { Lambda } from './lambda.ts';
import { Network, useCarrier } from './network.ts';
import { redrive } from './operators.ts';
import type { Plan } from './plan.ts';
import { currentProcess, type Process } from './process.ts';
import { type Message, Queue } from './queue.ts';
import { Statistics } from './statistics.ts';
import { Trace } from './trace.ts';
import { Traffic } from './traffic.ts';
import { VirtualTime } from './virtual-time.ts';

/** A world, put together: the service's code in the middle, and all that surrounds it. */
export class World {
  readonly plan: Plan;
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly statistics = new Statistics();
  readonly faults: Faults;
  readonly auditor: Auditor;
  readonly table: Table;
  readonly deadLetters: Queue;
  readonly queue: Queue;
  readonly bus: EventBus;
  readonly lambda: Lambda;
  readonly mapping: EventSourceMapping;
  readonly frontDoor: FrontDoor;
  /** Why a message was not counted, as the aggregator logged it last. */
  readonly reasons = new Map<string, string>();
  readonly #mathRandom = Math.random;

  constructor(plan: Plan, code: Code, write?: (line: string) => void) {
    this.plan = plan;
    this.time = new VirtualTime(plan.startMs);
    this.trace = new Trace(write);
    this.faults = new Faults(plan, this.statistics, this.trace);
    const now = () => this.time.nowMs;
    this.auditor = new Auditor(plan.settings, now);
    this.table = new Table(this.#random('table'), now, (changes) => this.#onCommit(changes));
    this.deadLetters = this.#createDeadLetterQueue();
    this.queue = this.#createQueue();
    this.bus = this.#createBus();
    const { time, faults, statistics, trace, queue } = this;
    const { settings } = plan;
    const random = this.#random('lambda');
    this.lambda = new Lambda({ code, settings, time, random, faults, statistics, trace });
    this.mapping = new EventSourceMapping({
      ...{ queue, lambda: this.lambda, settings, time, random, faults, statistics },
      onDelivered: (message) => this.#onDelivered(message),
      onNeedlessFailure: (message) => this.auditor.onNeedlessFailure(message),
    });
    this.frontDoor = new FrontDoor({ code, time, faults, trace, auditor: this.auditor });
    useCarrier(this.#createNetwork());
    code.listen((logged) => this.#onLogged(logged));
    Math.random = this.#random('code').fraction;
  }

  /** Sends clicks and all that goes with them. */
  createTraffic(codes: string[], strays: string[]): Traffic {
    const { plan, time, bus, queue, auditor, frontDoor } = this;
    return new Traffic({
      ...{ plan, time, bus, queue, codes, strays, random: this.#random('traffic') },
      visit: (code) => frontDoor.visit(code),
      onSent: (sent) => auditor.onSent(sent),
    });
  }

  /** Moves all dead letters back, as operators do. */
  redrive(): void {
    const { plan, time, faults, statistics, trace, queue, deadLetters } = this;
    const random = this.#random(`redrive ${time.nowMs}`);
    const { settings } = plan;
    redrive({ settings, time, random, faults, statistics, trace, queue, deadLetters });
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
      redeliveryRate: () => (this.faults.calm ? 0 : redeliveryRate),
      redrive: {
        maxReceiveCount: settings.maxReceiveCount,
        onDeadLetter: (message) => this.#onDeadLetter(message),
      },
      onEnqueued: (message) => this.auditor.onEnqueued(message),
      onDeleted: (message) => this.#onDeleted(message),
      onExpired: (message) => this.auditor.onExpired(message, false),
      identify: (body, caller) => this.#onTaken(clickOfEvent(body), caller),
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
      onTaken: (click, caller) => this.#onTaken(click, caller),
    });
  }

  #createNetwork(): Network {
    const { time, faults, trace, statistics, table } = this;
    const random = this.#random('network');
    const weather = { throttleRate: this.plan.throttleRate };
    const parts = { table, time, random: this.#random('dynamodb'), faults, statistics, weather };
    const services = {
      DynamoDB_20120810: { name: 'table', service: new DynamoDb(parts) },
      AWSEvents: { name: 'bus', service: this.bus },
      AmazonSQS: { name: 'queue', service: this.queue },
    };
    return new Network({ time, random, faults, trace, services });
  }

  #onTaken(click: Click, { name }: Process): Sent {
    const sent = { click, sentMs: this.time.nowMs };
    this.auditor.onVisitTaken(name, click);
    this.auditor.onSent(sent);
    return sent;
  }

  #onCommit(changes: Change[]): void {
    this.trace.note(() => `table: commits ${changes.map(({ key }) => key).join(' ')}`);
    this.auditor.onCommit(changes);
  }

  #onDelivered({ sent }: Message): void {
    if (this.auditor.isCounted(sent)) this.statistics.add('duplicates', 1);
  }

  #onDeleted(message: Message): void {
    this.trace.note(() => `queue: deletes ${message.id} ${message.sent.click?.id ?? 'poison'}`);
    this.statistics.add('done', 1);
    this.auditor.onDeleted(message);
  }

  #onDeadLetter(message: Message): void {
    this.trace.note(
      () => `queue: ${message.id} is a dead letter ${message.sent.click?.id ?? 'poison'}`,
    );
    this.statistics.add('dead letters', 1);
    this.auditor.onDeadLetter(message);
    this.deadLetters.takeOver(message);
  }

  #onLogged({ message, extra }: Logged): void {
    const process = currentProcess();
    this.trace.note(() => `${process?.name} logs: ${message} ${JSON.stringify(extra)}`);
    if (typeof extra?.messageId === 'string') {
      this.reasons.set(extra.messageId, String(extra.reason));
    }
    if (process?.role === 'resolver' && 'queueError' in extra) {
      this.frontDoor.onUnpublished(process, extra.event);
    }
  }

  /** Gives the clock, the network and Math.random back. */
  end(): void {
    useCarrier(undefined);
    Math.random = this.#mathRandom;
    this.time.uninstall();
  }
}

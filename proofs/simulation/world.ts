import type { Item } from '../../fixtures/dynamodb-items.ts';
import type { FunctionCode } from './compiled-code.ts';
import { type Change, ItemStore, keyOf } from './dynamodb/item-store.ts';
import { EventSourceMapping } from './event-source-mapping.ts';
import { type Instance, type Role, roles } from './instance.ts';
import type { LambdaFunction } from './lambda.ts';
import type { NetworkParts } from './network.ts';
import { redrive } from './operators.ts';
import { type Message, Queue } from './queue.ts';
import type { QueueAuditor } from './queue-auditor.ts';
import { idsOf, type Sent } from './sent.ts';
import { Surroundings } from './surroundings.ts';
import type { WorldPlan } from './world-plan.ts';

/** The service in a world, with its AWS services, traffic and auditor. */
export interface SimulatedService {
  readonly auditor: QueueAuditor;
  /** The services that its functions use besides the table. */
  readonly services: NetworkParts['services'];
  /** Whether nothing is on its way to the queue. */
  readonly isIdle: boolean;
  describeFunction(role: Role): { environment: Record<string, string>; timeoutMs: number };
  onSend: NetworkParts['onSend'];
  onLog(instance: Instance, line: string): void;
  /** Identifies a message that a function sent. */
  identify(body: string): Sent;
  /** Ends all instances. */
  deploy(): void;
  /** Starts the traffic. */
  start(): Promise<void>;
  /** Repairs broken items after the faults. */
  mend(): Promise<void>;
  /** Schedules copies of counted messages for when their markers expire. */
  sendLateCopies(): void;
  /** Checks the rest of this service, after the last audit. */
  finish(): Promise<void>;
}

/** A service's functions in the middle, and AWS around them. */
export class World extends Surroundings {
  readonly service: SimulatedService;
  readonly items: ItemStore;
  readonly deadLetters: Queue;
  readonly queue: Queue;
  readonly functions: Partial<Record<Role, LambdaFunction>>;
  readonly mapping: EventSourceMapping;

  constructor(
    plan: WorldPlan,
    code: FunctionCode,
    createService: (world: World) => SimulatedService,
    write?: (line: string) => void,
  ) {
    super(plan, code, write);
    this.items = new ItemStore(this.random('table'), this.now, (stored) => this.#onCommit(stored));
    this.deadLetters = this.#createDeadLetterQueue();
    this.queue = this.#createQueue();
    this.service = createService(this);
    this.functions = this.#createFunctions();
    this.mapping = new EventSourceMapping(this);
  }

  functionOf(role: Role): LambdaFunction {
    const found = this.functions[role];
    if (!found) throw new Error(`expected a function of this world; got ${role}`);
    return found;
  }

  /** Moves all dead letters back, as operators do. */
  redrive(): void {
    redrive(this);
  }

  /** A new version of the service. */
  deploy(): void {
    this.statistics.add('deploys');
    this.trace.note(() => 'deploy: all instances end');
    this.service.deploy();
  }

  /** Stores an item as another tool would. */
  storeByHand(item: Item): void {
    this.trace.note(() => `by hand: ${JSON.stringify(item)}`);
    this.items.commit(new Map([[keyOf(item), item]]), (stored) =>
      this.service.auditor.onStoredByHand(stored),
    );
  }

  /** Ends the faults and drains what started under them. The mapping stays paused. */
  async endFaults(): Promise<void> {
    this.faults.end();
    this.mapping.pause();
    const isDrained = () =>
      this.mapping.isIdle && Object.values(this.functions).every(({ isAtRest }) => isAtRest);
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
      onEnqueued: (message) => this.service.auditor.onEnqueued(message),
      onDeleted: (message) => this.#onDeleted(message),
      onExpired: (message) => this.service.auditor.onExpired(message, false),
      identify: (body) => this.service.identify(body),
    });
  }

  #createDeadLetterQueue(): Queue {
    return new Queue({
      ...this.#queueParts('letter'),
      retentionMs: this.plan.settings.deadLetterRetentionMs,
      visibilityTimeoutMs: 30_000,
      redeliveryRate: () => 0,
      onExpired: (message) => this.service.auditor.onExpired(message, true),
    });
  }

  #queueParts(name: string) {
    const { time, trace } = this;
    return { name, trace, time, random: this.random(name) };
  }

  #createFunctions(): Partial<Record<Role, LambdaFunction>> {
    const { service, items } = this;
    const network = this.connectTable({
      ...{ items, services: service.services },
      onSend: (...sent) => service.onSend(...sent),
    });
    const create = (role: Role) =>
      this.createFunction({
        ...{ role, network, ...service.describeFunction(role) },
        onLog: (...logged) => service.onLog(...logged),
        onStartFailure: ({ name }, error) => service.auditor.onStartFailure(name, String(error)),
      });
    return Object.fromEntries(roles.map((role) => [role, create(role)]));
  }

  #onCommit(changes: Change[]): void {
    this.trace.note(() => `table: commits ${changes.map(({ key }) => key).join(' ')}`);
    this.service.auditor.onCommit(changes);
  }

  #onDeleted(message: Message): void {
    this.trace.note(() => `queue: deletes ${nameOf(message)}`);
    this.statistics.add('deleted');
    this.service.auditor.onDeleted(message);
  }

  #onDeadLetter(message: Message): void {
    this.trace.note(() => `queue: moves ${nameOf(message)} to the dead letters`);
    this.statistics.add('dead letters');
    this.service.auditor.onDeadLetter(message);
    this.deadLetters.takeOver(message);
  }
}

function nameOf({ id, sent }: Message): string {
  return `${id} ${idsOf(sent)[0] ?? 'poison'}`;
}

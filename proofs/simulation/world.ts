import { linkKey } from '../../lib/keys.ts';
import { type AwsService, sentAnswer } from './aws-service.ts';
import { type Click, clickOfEvent, clicksOfRequest, type Sent } from './clicks/click.ts';
import { ClickAuditor } from './clicks/click-auditor.ts';
import { ClickTraffic } from './clicks/click-traffic.ts';
import { EventBus } from './clicks/event-bus.ts';
import { SumsAudit } from './clicks/sums-audit.ts';
import { createFunction } from './create-function.ts';
import { deployNext } from './deployment.ts';
import { DynamoDb } from './dynamodb/dynamodb.ts';
import { type Change, createItemStore, type ItemStore, keyOf } from './dynamodb/item-store.ts';
import { EventSourceMapping } from './event-source-mapping.ts';
import { currentInvocation, type Instance } from './instance.ts';
import type { LambdaFunction } from './lambda.ts';
import { startLives } from './link-lives.ts';
import { Network, type NetworkParts } from './network.ts';
import { type Message, Queue } from './queue.ts';
import { apiTimeoutMs, deadLetterQueueUrl, keptMs, purgeTimeoutMs } from './stage-settings.ts';
import { Standby } from './standby/standby.ts';
import { Surroundings, type Versions } from './surroundings.ts';
import type { WorldPlan } from './world-plan.ts';

interface SendMessageInput {
  QueueUrl: string;
  MessageBody: string;
  MessageAttributes?: { FirstSentTimestamp?: { StringValue: string } };
}

/** click-tally's functions in the middle, AWS around them, and the traffic and its auditor. */
export class World extends Surroundings {
  readonly auditor: ClickAuditor;
  readonly items: ItemStore;
  readonly sums: SumsAudit;
  readonly deadLetters: Queue;
  readonly queue: Queue;
  readonly bus: EventBus;
  readonly mapping: EventSourceMapping;
  readonly aggregator: LambdaFunction;
  readonly resolver: LambdaFunction;
  readonly owner: LambdaFunction;
  /** Its clock is ahead, so that every deletion is old enough. */
  readonly purger: LambdaFunction;
  readonly codes: readonly string[];
  readonly standby: Standby | undefined;
  readonly #traffic: ClickTraffic;
  /** Events that the resolver could only log, because neither bus nor queue accepted them. */
  readonly #unpublished: string[] = [];

  constructor(plan: WorldPlan, versions: Versions, write?: (line: string) => void) {
    super(plan, versions, write);
    const { settings, links } = plan;
    this.codes = Array.from({ length: links }, (_, index) => `link-${index}`);
    this.auditor = new ClickAuditor(settings, this.now);
    this.items = createItemStore(this.random('table'), this.now, (stored) =>
      this.#onCommit(stored),
    );
    this.sums = new SumsAudit(this.auditor.report, this.items);
    this.deadLetters = this.#createDeadLetterQueue();
    this.queue = this.#createQueue();
    this.bus = new EventBus(this);
    const { send } = this.#createNetwork();
    const { functionTimeoutMs } = settings;
    this.aggregator = createFunction(this, {
      role: 'aggregator',
      send,
      timeoutMs: functionTimeoutMs,
    });
    this.resolver = createFunction(this, { role: 'resolver', send, timeoutMs: apiTimeoutMs });
    this.owner = createFunction(this, { role: 'owner', send, timeoutMs: apiTimeoutMs });
    this.purger = createFunction(this, {
      role: 'purger',
      send,
      timeoutMs: purgeTimeoutMs,
      aheadMs: keptMs,
    });
    this.standby = plan.standby && new Standby(this, plan.standby);
    this.mapping = new EventSourceMapping(this);
    this.#traffic = new ClickTraffic(this);
  }

  get #functions(): LambdaFunction[] {
    const { standby } = this;
    const ofStandby = standby ? [standby.resolver, standby.replicator] : [];
    return [this.aggregator, this.resolver, this.owner, this.purger, ...ofStandby];
  }

  /** Whether nothing is on its way to the queue, in it, or being processed. */
  get isSettled(): boolean {
    const isHomeSettled = this.queue.size === 0 && this.mapping.isIdle && this.bus.pending === 0;
    return isHomeSettled && (this.standby?.isSettled ?? true);
  }

  /** The dead letters of both Regions. */
  get allDeadLetters(): Message[] {
    return [...this.deadLetters.list(), ...(this.standby?.deadLetters.list() ?? [])];
  }

  /** Creates the links and starts the traffic. */
  start(): void {
    const { plan, time } = this;
    for (const code of this.codes) this.createLink(code);
    this.#traffic.start();
    startLives(this);
    if (plan.seed % 2 === 0) time.after(plan.spanMs / 2, () => this.createLink('late'));
    deployNext(this, this.#functions);
  }

  /** Creates a link if it doesn't exist, as before versions. */
  createLink(code: string): void {
    const { PK, SK } = linkKey(code);
    const link = { PK: { S: PK }, SK: { S: SK }, url: { S: 'https://example.com' } };
    if (this.items.get(keyOf(link))) return;
    const rest = { owner: { S: 'a-user' }, createdAt: { S: '2026' }, clicks: { N: '0' } };
    this.items.commit(new Map([[keyOf(link), { ...link, ...rest }]]));
    this.standby?.copyLink(code);
  }

  /** Sends copies of counted clicks, as late as the guarantee permits. */
  sendLateCopies(): void {
    this.#traffic.copyLate(this.auditor.countedClicks().slice(0, 50));
  }

  /** Operators send the events that the resolver could only log. */
  resendUnpublished(): void {
    for (const body of this.#unpublished) {
      const sent = { click: clickOfEvent(body), sentMs: this.time.nowMs };
      this.auditor.onSent(sent);
      this.queue.send(body, sent);
    }
  }

  /** Producers send clicks of a link. */
  readonly sendClicks = (code: string): void => this.#traffic.sendBurst(code);

  /** Ends the faults and drains what started under them. The mapping stays paused. */
  async endFaults(): Promise<void> {
    this.faults.end();
    this.mapping.pause();
    const isDrained = () => this.mapping.isIdle && this.#functions.every((one) => one.isAtRest);
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
      onDeleted: (message) => this.auditor.onDeleted(message),
    });
  }

  #createDeadLetterQueue(): Queue {
    return new Queue({
      ...this.#queueParts('letter'),
      retentionMs: this.plan.settings.deadLetterRetentionMs,
      visibilityTimeoutMs: 30_000,
      redeliveryRate: () => 0,
      onExpired: ({ sent }) => this.auditor.onLeft(sent),
    });
  }

  #queueParts(name: string) {
    const { time, trace } = this;
    return { name, trace, time, random: this.random(name) };
  }

  #createNetwork(): Network {
    const { faults, items, plan, statistics, time, trace } = this;
    const table = new DynamoDb({
      ...plan,
      items,
      time,
      faults,
      statistics,
      random: this.random('dynamodb'),
    });
    return new Network({
      time,
      faults,
      trace,
      random: this.random('network'),
      services: {
        DynamoDB_20120810: { name: 'table', service: table },
        AWSEvents: { name: 'bus', service: this.bus },
        AmazonSQS: { name: 'queue', service: { handle: this.#handleSqs } },
      },
      onSend: this.onSend,
    });
  }

  readonly onSend: NetworkParts['onSend'] = ({ role }, { operation, input }) => {
    if (role !== 'resolver') return;
    const visit = currentInvocation.getStore() ?? '';
    for (const click of clicksOfRequest(operation, input)) {
      this.auditor.visits.onSending(visit, click);
    }
  };

  readonly #handleSqs: AwsService['handle'] = (operation, input, reply) => {
    if (operation !== 'SendMessage') throw new Error(`expected SendMessage; got ${operation}`);
    const { QueueUrl, MessageBody: body, MessageAttributes } = input as SendMessageInput;
    const firstSent = MessageAttributes?.FirstSentTimestamp?.StringValue;
    const isDead = QueueUrl === deadLetterQueueUrl;
    const sent = isDead ? this.auditor.onForwarded(body) : this.onAccepted(clickOfEvent(body));
    const queue = isDead ? this.deadLetters : this.queue;
    reply(sentAnswer(queue.send(body, sent, Number(firstSent ?? this.time.nowMs)), body));
  };

  readonly onLog = ({ name, role }: Instance, line: string): void => {
    this.trace.note(() => `${name} logs: ${line}`);
    if (role !== 'resolver' || !line.includes('Neither the bus nor the queue')) return;
    const event = JSON.stringify(JSON.parse(line).event);
    this.auditor.visits.onAccepted(clickOfEvent(event));
    this.#unpublished.push(event);
  };

  /** The bus or the queue accepted a click of the resolver. */
  readonly onAccepted = (click: Click): Sent => {
    const sent = { click, sentMs: this.time.nowMs };
    this.auditor.visits.onAccepted(click);
    this.auditor.onSent(sent);
    this.#traffic.copyVisit(click);
    return sent;
  };

  #onCommit(changes: Change[]): void {
    this.trace.note(() => `table: commits ${changes.map(({ key }) => key).join(' ')}`);
    this.auditor.onCommit(changes);
    this.sums.onCommit(changes);
    this.standby?.onHomeCommit(changes);
  }

  #onDeadLetter(message: Message): void {
    this.statistics.add('dead letters');
    this.deadLetters.takeOver(message);
  }
}

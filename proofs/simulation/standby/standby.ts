import { linkKey } from '../../../lib/keys.ts';
import { type AwsService, sentAnswer } from '../aws-service.ts';
import { type Click, clickOfEvent, type Sent } from '../clicks/click.ts';
import type { ClickAuditor } from '../clicks/click-auditor.ts';
import type { EventBus } from '../clicks/event-bus.ts';
import { RedirectAudit } from '../clicks/redirect-audit.ts';
import { createFunction } from '../create-function.ts';
import { DynamoDb } from '../dynamodb/dynamodb.ts';
import { type Change, createItemStore, type ItemStore, keyOf } from '../dynamodb/item-store.ts';
import type { Instance } from '../instance.ts';
import type { LambdaFunction } from '../lambda.ts';
import { Network, type NetworkParts, type Send } from '../network.ts';
import { Queue } from '../queue.ts';
import {
  apiTimeoutMs,
  replicatorTimeoutMs,
  standbyEnvironment,
  standbyRegion,
} from '../stage-settings.ts';
import type { Surroundings } from '../surroundings.ts';
import { ChangeStream } from './change-stream.ts';
import { ForwardingBus } from './forwarding-bus.ts';
import { StandbyAudit } from './standby-audit.ts';
import type { StandbyPlan } from './standby-plan.ts';

interface HomeWorld extends Surroundings {
  items: ItemStore;
  bus: EventBus;
  auditor: ClickAuditor;
  onAccepted: (click: Click) => Sent;
  onSend: NetworkParts['onSend'];
  onLog: (instance: Instance, line: string) => void;
}

/** A stage's standby in another Region, and what brings the home Region's links to it. */
export class Standby {
  readonly items: ItemStore;
  /** StandbyDLQ. */
  readonly deadLetters: Queue;
  readonly resolver: LambdaFunction;
  readonly replicator: LambdaFunction;
  readonly redirects: RedirectAudit;
  readonly audit: StandbyAudit;
  readonly prefix = 'standby ';
  readonly #home: HomeWorld;
  readonly #plan: StandbyPlan;
  readonly #bus: ForwardingBus;
  readonly #stream: ChangeStream;

  constructor(home: HomeWorld, standbyPlan: StandbyPlan) {
    const { auditor, plan, now, random } = home;
    this.#home = home;
    this.#plan = standbyPlan;
    this.redirects = new RedirectAudit(auditor.report, plan.settings, now);
    this.audit = new StandbyAudit(auditor.report, now);
    this.items = createItemStore(random('standby table'), now, (changes) => {
      this.audit.onCommit(changes);
    });
    this.deadLetters = new Queue({
      name: 'standby letter',
      trace: home.trace,
      time: home.time,
      random: random('standby letter'),
      retentionMs: plan.settings.deadLetterRetentionMs,
      visibilityTimeoutMs: 30_000,
      redeliveryRate: () => 0,
      onExpired: ({ sent }) => auditor.onLeft(sent),
    });
    this.#bus = new ForwardingBus({ ...home, deadLetters: this.deadLetters });
    const { send } = this.#createNetwork('standby ', this.items, {
      AWSEvents: { name: 'standby bus', service: this.#bus },
      AmazonSQS: { name: 'standby queue', service: { handle: this.#handleSqs } },
    });
    this.resolver = createFunction(home, {
      role: 'resolver',
      name: 'standby-resolver',
      send,
      timeoutMs: apiTimeoutMs,
      environment: standbyEnvironment,
    });
    this.replicator = createFunction(home, {
      role: 'replicator',
      send: this.#connectReplicator(send),
      timeoutMs: replicatorTimeoutMs,
    });
    this.#stream = new ChangeStream({ ...home, replicator: this.replicator, standbyPlan });
  }

  /** Whether nothing is on its way to or from the home Region. */
  get isSettled(): boolean {
    return this.#stream.isIdle && this.#bus.pending === 0;
  }

  /** Whether a visitor comes here first. */
  readonly isAskedFirst = (): boolean => {
    const { faults, plan, time } = this.#home;
    const afterMs = time.nowMs - plan.startMs;
    const isHomeDown = this.#plan.outages.some(
      ({ of, fromMs, untilMs }) => of === 'home' && fromMs <= afterMs && afterMs < untilMs,
    );
    return isHomeDown || faults.happens('visit at the standby', this.#plan.visitShare);
  };

  /** When a link stopped redirecting here; undefined if it redirects. */
  readonly downSinceMs = (code: string): number | undefined =>
    this.audit.downSinceMs(metaKeyOf(code));

  /** The home Region's table stored items. */
  onHomeCommit(changes: readonly Change[]): void {
    this.audit.onHomeCommit(changes);
    this.#stream.onCommit(changes);
  }

  /** Operators copy a link from home as `links standby --repair` does. */
  copyLink(code: string): void {
    const link = this.#home.items.get(metaKeyOf(code));
    if (!link) return;
    const { PK, SK, url, version = { N: '0' } } = link;
    const others = ['forwardQuery', 'expiresAt', 'disabled', 'deletedAt', ...(url ? [] : ['ttl'])];
    const values = others.flatMap((name) => (link[name] ? [[name, link[name]]] : []));
    const item = { PK, SK, version, ...(url && { url }), ...Object.fromEntries(values) };
    // It replaces whatever there is.
    const isNew = this.items.get(metaKeyOf(code)) === undefined;
    this.items.commit(
      new Map([[metaKeyOf(code), item]]),
      isNew ? undefined : (changes) => this.audit.onRepair(changes),
    );
  }

  /** Operators repair what ReplicationDLQ is about. */
  repair(): void {
    this.#home.statistics.add('repaired links', this.#stream.dropped.size);
    for (const code of this.#stream.dropped) this.copyLink(code);
    this.#stream.dropped.clear();
  }

  // A request goes to the Region in its host's name. A transaction's items become visible one by one, so at
  // home a change may be read before its link.
  #connectReplicator(sendToStandby: Send): Send {
    const { items } = this.#home;
    const { send } = this.#createNetwork('', { ...items, get: items.getEventually });
    return (caller, request, options) => {
      const isForStandby = request.hostname.includes(standbyRegion);
      return (isForStandby ? sendToStandby : send)(caller, request, options);
    };
  }

  #createNetwork(prefix: string, items: ItemStore, others: NetworkParts['services'] = {}): Network {
    const { faults, onSend, plan, random, statistics, time, trace } = this.#home;
    const name = prefix === '' ? 'replicated' : 'standby';
    const service = new DynamoDb({
      ...plan,
      items,
      time,
      faults,
      statistics,
      random: random(`${name} dynamodb`),
    });
    return new Network({
      time,
      faults,
      trace,
      random: random(`${name} network`),
      services: { DynamoDB_20120810: { name: `${prefix}table`, service }, ...others },
      onSend,
    });
  }

  readonly #handleSqs: AwsService['handle'] = (operation, input, reply) => {
    if (operation !== 'SendMessage') throw new Error(`expected SendMessage; got ${operation}`);
    const { MessageBody: body } = input as { MessageBody: string };
    this.#home.statistics.add('standby dead letters');
    reply(sentAnswer(this.deadLetters.send(body, this.#home.onAccepted(clickOfEvent(body))), body));
  };
}

export function metaKeyOf(code: string): string {
  const { PK, SK } = linkKey(code);
  return keyOf({ PK: { S: PK }, SK: { S: SK } });
}

import { createRandom, type Random } from '../../kit/random.ts';
import type { FunctionCode } from '../compiled-code.ts';
import { DynamoDb } from '../dynamodb/dynamodb.ts';
import { type Change, ItemStore } from '../dynamodb/item-store.ts';
import type { Faults } from '../faults.ts';
import { currentInvocation } from '../instance.ts';
import { LambdaFunction } from '../lambda.ts';
import { Network, type readRequest } from '../network.ts';
import { environmentOf } from '../settings.ts';
import type { Statistics } from '../statistics.ts';
import type { Trace } from '../trace.ts';
import type { VirtualTime } from '../virtual-time.ts';
import type { WorldPlan } from '../world-plan.ts';
import { ChangeStream } from './change-stream.ts';
import { LivePages } from './live-pages.ts';
import { PushAuditor, type PushAuditParts } from './push-auditor.ts';
import { readStreamSettings } from './push-settings.ts';

const streamSettings = readStreamSettings();
/** How long the pushes may take to end after the last click was counted. */
const patienceMs = 10 * 60_000;
/** Unreadable records come at most this often once nothing fails, so that they delay and block not. */
const poisonPauseMs = 30_000;
const watchersPerPage = 2;

export interface LiveWorldParts {
  plan: WorldPlan;
  code: FunctionCode;
  time: VirtualTime;
  faults: Faults;
  statistics: Statistics;
  trace: Trace;
  report: PushAuditParts['report'];
  onStartFailure: (instance: string, error: string) => void;
}

/**
 * Everything behind the table's stream. push-counts may reach connections and watches only, so they
 * have a table here, a network and random numbers of their own: counting cannot notice them.
 */
export class LiveWorld {
  readonly #parts: LiveWorldParts;
  readonly #auditor: PushAuditor;
  readonly #pages: LivePages;
  readonly #pusher: LambdaFunction;
  readonly #stream: ChangeStream;
  #poisoned = 0;
  #poisonedMs = 0;
  #areFaultsOver = false;

  constructor(parts: LiveWorldParts) {
    this.#parts = parts;
    const { plan, time, faults, statistics } = parts;
    const now = () => time.nowMs;
    const codes = ['late', 'mended', ...Array.from({ length: plan.links }, (_, i) => `link-${i}`)];
    this.#auditor = new PushAuditor({ now, report: parts.report });
    const items = new ItemStore(this.#random('live table'), now, () => {});
    this.#pages = new LivePages({
      ...{ plan: plan.push, time, faults, items, auditor: this.#auditor },
      codes: codes.slice(-plan.push.watchedLinks),
      random: this.#random('pages'),
    });
    this.#pusher = this.#createPusher(items);
    this.#stream = new ChangeStream({
      ...{ settings: streamSettings, plan: plan.push, time, faults, statistics },
      windowMs: plan.settings.pushWindowMs,
      random: this.#random('stream'),
      pusher: this.#pusher,
      onInvoked: (invocation) => this.#auditor.onInvoked(invocation),
      onAnswered: (...answered) => this.#auditor.onAnswered(...answered),
    });
  }

  /** People open pages, and unreadable records come. */
  start(): void {
    const { time, plan } = this.#parts;
    for (const afterMs of plan.push.openAfterMs) time.after(afterMs, () => this.#pages.comeAndGo());
    for (const afterMs of plan.push.poisonAfterMs) time.after(afterMs, () => this.#poison());
  }

  onCommit(changes: readonly Change[]): void {
    this.#auditor.onCommit(changes);
    if (this.#areFaultsOver) this.#watchRecovery();
    this.#stream.onCommit(changes);
  }

  /** A new version of push-counts. */
  deploy(): void {
    this.#pusher.deploy();
  }

  /** No fault begins any more, and people open pages once more. */
  onFaultsEnded(): void {
    this.#areFaultsOver = true;
    for (let page = 0; page < 2; page += 1) this.#pages.open();
  }

  /** Waits until nothing is left to push, and checks what the pages know. */
  async finish(): Promise<void> {
    const { time } = this.#parts;
    const endMs = time.nowMs + patienceMs;
    await time.runUntil(() => this.#stream.isIdle || time.nowMs > endMs);
    this.#auditor.checkEnd();
  }

  // Asked before each commit: what began under the faults may still show their effects.
  #watchRecovery(): void {
    const { plan, time } = this.#parts;
    const { state, poisonAfterMs } = plan.push;
    if (state === 'hangs' || state === 'refuses') return;
    if (!this.#stream.isSound || !this.#pusher.isCalm) return;
    this.#auditor.onSound();
    const mayPoison = poisonAfterMs.length > 0 && time.nowMs - this.#poisonedMs > poisonPauseMs;
    if (mayPoison) this.#poison();
  }

  #poison(): void {
    this.#poisonedMs = this.#parts.time.nowMs;
    const PK = { S: `LINK#unreadable-${this.#poisoned++}` };
    this.#stream.poison({ PK, SK: { S: 'META' } });
  }

  #createPusher(items: ItemStore): LambdaFunction {
    const { plan, code, time, faults, statistics, trace, onStartFailure } = this.#parts;
    const { seed, settings, throttleRate } = plan;
    const table = new DynamoDb({
      ...{ items, time, faults, statistics, throttleRate },
      bareRefusalShare: 0,
      queryPageSize: watchersPerPage,
      random: this.#random('live dynamodb'),
    });
    return new LambdaFunction({
      ...{ role: 'pusher', code, seed, time, faults, statistics, trace },
      environment: environmentOf('pusher', settings),
      timeoutMs: streamSettings.functionTimeoutMs,
      network: new Network({
        ...{ time, faults, trace, random: this.#random('live network') },
        services: {
          DynamoDB_20120810: { name: 'table', service: table },
          ManageConnections: { name: 'page', service: this.#pages },
        },
        onSend: (_, request) => this.#onSend(request),
      }),
      onLog: ({ name }, line) => trace.note(() => `${name} logs: ${line}`),
      onStartFailure: ({ name }, error) => onStartFailure(name, String(error)),
    });
  }

  #onSend({ operation, input }: ReturnType<typeof readRequest>): void {
    if (operation !== 'PostToConnection') return;
    const { ConnectionId, Data } = input as { ConnectionId: string; Data: string };
    this.#parts.statistics.add('messages to pages');
    this.#auditor.onSending(currentInvocation.getStore() ?? '', ConnectionId, Data);
  }

  #random(name: string): Random {
    return createRandom(this.#parts.plan.seed, name);
  }
}

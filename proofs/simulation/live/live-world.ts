import { createRandom, type Random } from '../../../fixtures/random.ts';
import type { Auditor } from '../auditor.ts';
import type { FunctionCode } from '../compiled-code.ts';
import { DynamoDb } from '../dynamodb/dynamodb.ts';
import { type Change, ItemStore, keyOf } from '../dynamodb/item-store.ts';
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
import { PushAuditor } from './push-auditor.ts';
import { readStreamSettings } from './push-settings.ts';

const streamSettings = readStreamSettings();
const recoveryPollMs = 1_000;
/** How long the pushes may take to end after the last click was counted. */
const patienceMs = 10 * 60_000;
const watchersPerPage = 2;
/** A link that only the stream knows: its numbers rise when nothing fails any more. */
const drillCode = 'drill';
const drillClicks = 8;

export interface LiveWorldParts {
  plan: WorldPlan;
  time: VirtualTime;
  faults: Faults;
  statistics: Statistics;
  trace: Trace;
  auditor: Auditor;
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

  constructor(parts: LiveWorldParts, code: FunctionCode) {
    this.#parts = parts;
    const { plan, time, faults, statistics, auditor } = parts;
    const now = () => time.nowMs;
    const codes = ['late', 'mended', ...Array.from({ length: plan.links }, (_, i) => `link-${i}`)];
    const watched = this.#random('watched links').choose(plan.push.watchedLinks, codes.length);
    this.#auditor = new PushAuditor({ now, report: (...problem) => auditor.report(...problem) });
    const items = new ItemStore(this.#random('live table'), now, () => {});
    this.#pages = new LivePages({
      ...{ plan: plan.push, time, faults, items, auditor: this.#auditor },
      codes: [drillCode, ...watched.map((index) => codes[index] ?? '')],
      random: this.#random('pages'),
    });
    this.#pusher = this.#createPusher(items, code);
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
    this.#stream.onCommit(changes);
  }

  /** A new version of push-counts. */
  deploy(): void {
    this.#pusher.deploy();
  }

  /** No fault begins any more, and people open pages once more. */
  onFaultsEnded(): void {
    for (let page = 0; page < 2; page += 1) this.#pages.open();
    const { state } = this.#parts.plan.push;
    if (state !== 'hangs' && state !== 'refuses') this.#awaitRecovery();
  }

  /** Pushes once more what only the stream knows, and checks what the pages have been told. */
  async finish(): Promise<void> {
    const { time } = this.#parts;
    const random = this.#random('drill');
    for (let page = 0; page < 3; page += 1) this.#pages.open();
    for (let clicks = 1; clicks <= drillClicks; clicks += 1) {
      this.onCommit(countDrill(clicks));
      if (random.chance(0.2)) this.#poison();
      await time.pass(random.integer(1, 700));
    }
    const endMs = time.nowMs + patienceMs;
    await time.runUntil(() => this.#stream.isIdle || time.nowMs > endMs);
    this.#auditor.checkEnd();
  }

  // What began under the faults may still show their effects.
  #awaitRecovery(): void {
    if (this.#stream.isSound && this.#pusher.isCalm) this.#auditor.onSound();
    else this.#parts.time.after(recoveryPollMs, () => this.#awaitRecovery());
  }

  #poison(): void {
    const PK = { S: `LINK#unreadable-${this.#poisoned++}` };
    this.#stream.poison({ PK, SK: { S: 'META' } });
  }

  #createPusher(items: ItemStore, code: FunctionCode): LambdaFunction {
    const { plan, time, faults, statistics, trace, auditor } = this.#parts;
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
      onStartFailure: ({ name }, error) => auditor.onStartFailure(name, String(error)),
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

/** A click of the drill's link, as the aggregator would have counted it. */
function countDrill(clicks: number): Change[] {
  const PK = { S: `LINK#${drillCode}` };
  const N = `${clicks}`;
  const link = { PK, SK: { S: 'META' }, url: { S: 'https://example.com/' }, clicks: { N } };
  const day = { PK, SK: { S: 'STAT#2026-05-26' }, count: { N } };
  const values = { vh: { N }, dd: { N }, rd: { N }, h10: { N } };
  return [link, { ...day, ...values }].map((after) => ({
    key: keyOf(after),
    before: clicks === 1 ? undefined : after,
    after,
  }));
}

import { attributesOf } from '../clicks/breakdowns.ts';
import { type Change, ItemStore, keyOf } from '../dynamodb/item-store.ts';
import { currentInvocation } from '../instance.ts';
import type { LambdaFunction } from '../lambda.ts';
import type { readRequest } from '../network.ts';
import type { QueueAuditor } from '../queue-auditor.ts';
import { environmentOf, readStreamSettings } from '../stage-settings.ts';
import type { Surroundings } from '../surroundings.ts';
import { ChangeStream } from './change-stream.ts';
import { LivePages } from './live-pages.ts';
import { PushAuditor } from './push-auditor.ts';

const streamSettings = readStreamSettings();
const recoveryPollMs = 1_000;
/** How long pushes may take after the last click was counted. */
const patienceMs = 10 * 60_000;
const watchersPerPage = 2;
/** A link that exists only in the stream. Its numbers rise after the faults. */
const drillCode = 'drill';
const drillClicks = 8;

/**
 * Everything behind the table's stream. push-counts may access only connections and watches, so they
 * have their own table, network and random numbers here, and can't affect counting.
 */
export class Pushes {
  readonly #surroundings: Surroundings;
  readonly #auditor: PushAuditor;
  readonly #pages: LivePages;
  readonly #pusher: LambdaFunction;
  readonly #stream: ChangeStream;
  #poisoned = 0;

  constructor(surroundings: Surroundings, auditor: QueueAuditor) {
    this.#surroundings = surroundings;
    const { plan, now } = surroundings;
    const codes = ['late', 'mended', ...Array.from({ length: plan.links }, (_, i) => `link-${i}`)];
    const watched = surroundings
      .random('watched links')
      .choose(plan.push.watchedLinks, codes.length);
    this.#auditor = new PushAuditor(now, (...violation) => auditor.report(...violation));
    const items = new ItemStore(surroundings.random('live table'), now, () => {});
    const watchable = [drillCode, ...watched.map((index) => codes[index] ?? '')];
    this.#pages = new LivePages(surroundings, { codes: watchable, items, auditor: this.#auditor });
    this.#pusher = this.#createPusher(items, auditor);
    this.#stream = new ChangeStream(surroundings, {
      ...{ settings: streamSettings, pusher: this.#pusher, auditor: this.#auditor },
    });
  }

  /** Opens pages and adds unreadable records. */
  start(): void {
    const { time, plan } = this.#surroundings;
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

  /** Starts no more faults, and opens pages again. */
  onFaultsEnded(): void {
    for (let page = 0; page < 2; page += 1) this.#pages.open();
    const { state } = this.#surroundings.plan.push;
    if (state !== 'hangs' && state !== 'refuses') this.#awaitRecovery();
  }

  /** Pushes the stream-only link once more, and checks what the pages received. */
  async finish(): Promise<void> {
    const { time } = this.#surroundings;
    const random = this.#surroundings.random('drill');
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

  // Work that started under faults may still show their effects.
  #awaitRecovery(): void {
    if (this.#stream.isSound && this.#pusher.isCalm) this.#auditor.onSound();
    else this.#surroundings.time.after(recoveryPollMs, () => this.#awaitRecovery());
  }

  #poison(): void {
    const PK = { S: `LINK#unreadable-${this.#poisoned++}` };
    this.#stream.poison({ PK, SK: { S: 'META' } });
  }

  #createPusher(items: ItemStore, auditor: QueueAuditor): LambdaFunction {
    return this.#surroundings.createFunction({
      role: 'pusher',
      environment: environmentOf('pusher', this.#surroundings.plan.settings),
      timeoutMs: streamSettings.functionTimeoutMs,
      network: this.#surroundings.connectTable({
        ...{ name: 'live ', items, bareRefusalShare: 0, queryPageSize: watchersPerPage },
        services: { ManageConnections: { name: 'page', service: this.#pages } },
        onSend: (_, request) => this.#onSend(request),
      }),
      onStartFailure: ({ name }, error) => auditor.onStartFailure(name, String(error)),
    });
  }

  #onSend({ operation, input }: ReturnType<typeof readRequest>): void {
    if (operation !== 'PostToConnection') return;
    const { ConnectionId, Data } = input as { ConnectionId: string; Data: string };
    this.#surroundings.statistics.add('messages to pages');
    this.#auditor.onSending(currentInvocation.getStore() ?? '', ConnectionId, Data);
  }
}

/** A click of the drill's link, as the aggregator would have counted it. */
function countDrill(clicks: number): Change[] {
  const PK = { S: `LINK#${drillCode}` };
  const N = `${clicks}`;
  const link = { PK, SK: { S: 'META' }, url: { S: 'https://example.com/' }, clicks: { N } };
  const day = { PK, SK: { S: 'STAT#2026-05-26' }, count: { N } };
  const visit = { visitor: 'human', device: 'desktop', referrer: 'direct' };
  const attributes = attributesOf({ at: '2026-05-26T10:00:00Z', ...visit });
  const values = Object.fromEntries(attributes.map((attribute) => [attribute, { N }]));
  return [link, { ...day, ...values }].map((after) => ({
    key: keyOf(after),
    before: clicks === 1 ? undefined : after,
    after,
  }));
}

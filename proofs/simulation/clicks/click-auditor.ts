import { createHash } from 'node:crypto';
import type { Change } from '../dynamodb/item-store.ts';
import type { Message, Received } from '../queue.ts';
import { QueueAuditor } from '../queue-auditor.ts';
import { idsOf, type Sent } from '../sent.ts';
import { markerLifeMs, type Settings } from '../stage-settings.ts';
import { BreakdownAudit } from './breakdown-audit.ts';
import type { Click, MarkedClick } from './click.ts';
import { ClickLedger, type Mark } from './click-ledger.ts';
import { MetricsAudit } from './metrics-audit.ts';
import { type NewSlot, type Place, placeOf } from './sheet-ledger.ts';
import { compareStatistics } from './statistics-answer.ts';
import { VisitAudit } from './visit-audit.ts';

/** Checks the design's invariants at every commit, and at the end. */
export class ClickAuditor extends QueueAuditor {
  readonly visits: VisitAudit;
  readonly #settings: Settings;
  readonly #now: () => number;
  readonly #exists: (partitionKey: string) => boolean;
  readonly #ledger = new ClickLedger((slot) => this.#findClick(slot));
  readonly #sent = new Map<string, Sent[]>();
  /** Click ids by place. */
  readonly #ids = new Map<string, string>();
  /** Of codes and days. */
  readonly #hashes = new Map<string, string>();
  readonly #metrics = new MetricsAudit();
  readonly #breakdowns = new BreakdownAudit();
  /** The ids of messages that operators left until they expired. */
  readonly #left = new Set<string>();

  /** `exists` tells whether the table has a sheet, which TTL may have deleted. */
  constructor(settings: Settings, now: () => number, exists: (partitionKey: string) => boolean) {
    super();
    this.#settings = settings;
    this.#now = now;
    this.#exists = exists;
    this.visits = new VisitAudit(now, (...violation) => this.report(...violation));
  }

  /** The bus or the queue accepted a producer's message. */
  onSent(sent: Sent): void {
    if (!sent.click) return;
    const { id } = sent.click;
    const place = placeOf(id);
    if (place) this.#ids.set(nameOf(place), id);
    if (place && sent.isReuse) sent.isBlocked = this.#exists(place.key);
    const ofId = this.#sent.get(id);
    if (ofId) ofId.push(sent);
    else this.#sent.set(id, [sent]);
  }

  onCommit(changes: Change[]): void {
    const { marks, problems } = this.#ledger.record(changes);
    const clicks = marks.flatMap((mark) => this.#checkMark(mark) ?? []);
    problems.push(...this.#breakdowns.record(changes, clicks));
    for (const { kind, text, about } of problems) this.report(kind, text, about);
    this.visits.onCommit(changes);
  }

  onStoredByHand(changes: Change[]): void {
    this.#ledger.recordByHand(changes);
    this.visits.onCommit(changes);
  }

  onInvoked(instance: string, batch: Received[]): void {
    this.#metrics.onInvoked(instance, batch.length);
  }

  /** An aggregator published metrics with this total of messages. */
  onMetrics(instance: string, messages: number): void {
    const problem = this.#metrics.onMetrics(instance, messages);
    if (problem) this.report('metrics', problem, [instance]);
  }

  isGood({ click }: Sent): boolean {
    if (!click || !this.#ledger.isHealthy(click)) return false;
    const marks = this.#ledger.marksOf(click.id);
    return marks.length === 0 || marks.some((mark) => isSame(mark.click, click));
  }

  // As docs/guarantee.md says, commands leave a click whose day began too long ago.
  mayStay(sent: Sent): boolean {
    const { queueRetentionMs, deadLetterRetentionMs } = this.#settings;
    const oldestMs = this.#now() - queueRetentionMs - deadLetterRetentionMs;
    return !this.isGood(sent) || Date.parse(sent.click?.day ?? '') < oldestMs;
  }

  /** Operators left an event in the bus's dead-letter queue. */
  onLeft(sent: Sent): void {
    if (!this.mayStay(sent)) this.report('unsettled', 'a good event was left', idsOf(sent));
    this.#left.add(sent.click?.id ?? '');
  }

  override onExpired(message: Message, isDeadLetter: boolean): void {
    if (isDeadLetter) this.#left.add(message.sent.click?.id ?? '');
    super.onExpired(message, isDeadLetter);
  }

  isDone(sent: Sent): boolean {
    const { click } = sent;
    if (!click) return false;
    const marks = this.#ledger.marksOf(click.id).filter((mark) => isSame(mark.click, click));
    return marks.length >= (mayCountAgain(sent, marks[0]) && !sent.isBlocked ? 2 : 1);
  }

  /** Up to `max` counted clicks, with the expiry of their markers. */
  countedClicks(max: number): { click: Click; expiryMs: number }[] {
    const ids = [...this.#sent.keys()].slice(0, max);
    const marks = ids.flatMap((id) => this.#ledger.marksOf(id)[0] ?? []);
    return marks.flatMap(({ click, item }) => {
      const sent = this.#findSent(click)?.click;
      return sent ? { click: sent, expiryMs: item.ttlMs } : [];
    });
  }

  /** Compares the service's statistics of a link with the stored ones. */
  checkStatistics(code: string, body: string | undefined): void {
    const stored = this.#breakdowns.describe(code, this.#ledger.clicksOf(code));
    const problem = compareStatistics(stored, body);
    if (problem) this.report('statistics', problem, [code]);
  }

  protected checkSent(dead: Message[]): void {
    const deadIds = new Set(dead.map(({ sent }) => sent.click?.id));
    for (const [id, ofId] of this.#sent) this.#checkId(id, ofId, deadIds);
    for (const { text, about } of this.#ledger.compare()) this.report('sums', text, about);
    this.visits.checkEnd();
  }

  // An id counts once, and again if it is reused after its marker expired. It may count again if it was
  // reused just before, or if its sheet still existed then.
  #checkId(id: string, ofId: Sent[], deadIds: Set<string | undefined>): void {
    const counted = this.#ledger.marksOf(id);
    const again = ofId.filter((sent) => mayCountAgain(sent, counted[0]));
    const isLeft = deadIds.has(id) || this.#left.has(id);
    const most = ofId.some(({ isReuse }) => isReuse) ? 2 : 1;
    const least = (again.some(({ isBlocked }) => !isBlocked) ? 2 : 1) - (isLeft ? 1 : 0);
    if (counted.length > most) this.report('counted twice', `${id} was counted twice`, [id]);
    if (counted.length < least) {
      this.report('lost', `${id} was counted ${counted.length} times`, [id]);
    }
  }

  // Returns the click that was counted.
  #checkMark({ click, item }: Mark): Click | undefined {
    const first = this.#findSent(click);
    const ids = [click.id, click.code];
    if (!first) {
      this.report('made up', 'a click was counted that nobody sent', ids);
      return undefined;
    }
    // An expiry is in whole seconds.
    if (item.ttlMs + 1_000 < first.sentMs + markerLifeMs(this.#settings)) {
      this.report('short marker', 'a marker expires while its click can still come again', ids);
    }
    const earlier = this.#ledger.marksOf(click.id).at(-2)?.item;
    if (earlier && !(first.isReuse && earlier !== item && earlier.ttlMs < this.#now())) {
      this.report('counted twice', 'a click was counted again', ids);
    }
    return first.click;
  }

  #findSent(click: MarkedClick): Sent | undefined {
    const sent = this.#sent.get(click.id)?.filter((one) => one.click && isSame(one.click, click));
    return sent?.at(-1)?.isReuse ? sent.at(-1) : sent?.[0];
  }

  #findClick({ value, ...place }: NewSlot): Click | undefined {
    const ofPlace = this.#sent.get(this.#ids.get(nameOf(place)) ?? '');
    const sent = ofPlace?.find(({ click }) => click && this.#hash(click) === value);
    return sent?.click;
  }

  // A slot's value: five bytes of a hash.
  #hash({ code, day }: MarkedClick): string {
    const content = JSON.stringify([code, day]);
    let hash = this.#hashes.get(content);
    if (hash === undefined) {
      hash = createHash('md5').update(content).digest().toString('base64', 0, 5);
      this.#hashes.set(content, hash);
    }
    return hash;
  }
}

// Whether a click's id was reused after the marks of its first use had expired.
function mayCountAgain({ isReuse = false, sentMs }: Sent, first: Mark | undefined): boolean {
  return isReuse && (first?.item.ttlMs ?? 0) < sentMs;
}

function nameOf({ key, slot }: Place): string {
  return `${key} ${slot}`;
}

function isSame(a: MarkedClick, b: MarkedClick): boolean {
  return a.code === b.code && a.day === b.day;
}

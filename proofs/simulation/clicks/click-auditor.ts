import { createHash } from 'node:crypto';
import type { Item } from '../../../fixtures/dynamodb-items.ts';
import type { Change } from '../dynamodb/item-store.ts';
import type { Message } from '../queue.ts';
import { markerLifeMs, type Settings } from '../stage-settings.ts';
import type { Report, Violation } from './click.ts';
import { type Click, idsOf, type MarkedClick, type Part, type Sent, slotOf } from './click.ts';
import { ClickLedger, type Mark, type NewSlot } from './click-ledger.ts';
import { LinkAudit } from './link-audit.ts';
import { RedirectAudit } from './redirect-audit.ts';
import { VisitAudit } from './visit-audit.ts';
import { VisitorAudit } from './visitor-audit.ts';

const maxViolations = 20;

/**
 * Checks the design's invariants at every commit, for every message that leaves a queue, and at the
 * end. It knows only what was sent and what is stored, and nothing of how the service works.
 */
export class ClickAuditor {
  readonly violations: Violation[] = [];
  readonly report: Report = (kind, text, about) => {
    if (this.violations.length < maxViolations) this.violations.push({ kind, text, about });
  };
  readonly visits = new VisitAudit(this.report);
  readonly #visitors = new VisitorAudit(this.report);
  readonly redirects: RedirectAudit;
  readonly #settings: Settings;
  readonly #now: () => number;
  readonly #ledger = new ClickLedger((slot) => this.#findClick(slot));
  readonly #links = new LinkAudit();
  /** By click id. */
  readonly #sent = new Map<string, Sent[]>();
  /** Click ids by the slot of their mark. */
  readonly #ids = new Map<string, string>();
  /** The parts of envelopes, by their detail, and those that were forwarded to the dead letters. */
  readonly #parts = new Map<string, Part>();
  readonly #forwarded = new Set<string>();
  /** The ids of messages that operators left until they expired. */
  readonly #left = new Set<string>();

  constructor(settings: Settings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
    this.redirects = new RedirectAudit(this.report, settings, now);
  }

  /** The bus or the queue accepted a producer's message. */
  onSent(sent: Sent): void {
    for (const part of sent.parts ?? []) {
      this.#parts.set(part.detail, part);
      this.onSent(part);
    }
    if (!sent.click) return;
    const { id } = sent.click;
    const slot = slotOf(id);
    if (slot) this.#ids.set(slot, id);
    const ofId = this.#sent.get(id);
    if (ofId) ofId.push(sent);
    else this.#sent.set(id, [sent]);
  }

  /** Items were stored at one instant. */
  onCommit(changes: Change[]): void {
    this.#visitors.onCommit(changes);
    const { marks, problems } = this.#ledger.record(changes);
    const clicks = marks.flatMap((mark) => this.#checkMark(mark) ?? []);
    const marked = marks.map(({ click }) => click);
    problems.push(...this.#links.record(changes, marked, clicks));
    for (const click of clicks) {
      this.#visitors.onCounted(click);
      if (this.#links.accepts(click)) continue;
      const text = 'a click was counted that is outside the life of its link';
      this.report('phantom', text, [click.id, click.code]);
    }
    for (const { kind, text, about } of problems) this.report(kind, text, about);
  }

  /** A message was deleted from the queue as processed. */
  onDeleted({ id, sent }: Message): void {
    if (sent.parts) {
      for (const part of sent.parts) this.#checkPart(part, id);
      for (const part of sent.parts) {
        if (!this.#forwarded.has(part.detail)) this.#noteProcessed(part);
      }
    } else if (!sent.click) {
      this.report('invalid message taken for done', 'an invalid message was deleted', [id]);
    } else if (!this.isDone(sent)) {
      this.report('lost', 'a message was deleted, but it was not processed', idsOf(sent));
    } else {
      this.#noteProcessed(sent);
    }
  }

  /** The aggregator forwarded clicks of an envelope to the dead letters. Returns what they are. */
  onForwarded(body: string): Sent {
    const details: unknown[] = JSON.parse(body).detail.clicks;
    const parts = details.map((each): Part => {
      const detail = JSON.stringify(each);
      const part = this.#parts.get(detail);
      if (!part) this.report('changed', 'a dead letter has a click that no envelope had', [body]);
      this.#forwarded.add(detail);
      return part ?? { detail, sentMs: this.#now() };
    });
    return { parts, sentMs: this.#now() };
  }

  /** Operators left a dead letter until it expired. A click that they must not leave is lost at the end. */
  onLeft(sent: Sent): void {
    if (this.mayStay(sent)) this.#leave(sent);
  }

  /** A deleted link is there after a purge. */
  onUnpurged(key: string): void {
    this.report('life', 'a deletion was not purged', [key]);
  }

  /** The service's own check found a wrong count. */
  onDrift(drift: string): void {
    this.report('drift', '`npm run verify` finds a wrong count', [drift]);
  }

  /** An invocation that started in the fault-free phase failed. */
  onFaultFreeFailure(sent: Sent): void {
    if (!this.#isGood(sent)) return;
    this.report('needless failure', 'a good message failed without any fault', idsOf(sent));
  }

  /** Whether a message's effect is stored already. */
  isDone({ click, parts }: Sent): boolean {
    if (parts) return parts.every((part) => this.isDone(part));
    return this.#ledger.marksOf(click?.id ?? '').some((mark) => isSame(mark.click, click));
  }

  /** Whether operators may leave a dead letter. As docs/guarantee.md says, they leave old clicks. */
  mayStay(sent: Sent): boolean {
    const { queueRetentionMs, deadLetterRetentionMs } = this.#settings;
    const oldestMs = this.#now() - queueRetentionMs - deadLetterRetentionMs;
    const isOld = ({ click }: Sent) => Date.parse(click?.day ?? '') < oldestMs;
    return !this.#isGood(sent) || (sent.parts ?? [sent]).some(isOld);
  }

  /** Counted clicks, as often as they were sent. */
  countedClicks(): Click[] {
    const sent = [...this.#sent.values()].flat();
    return sent.flatMap((one) => (one.click && this.isDone(one) ? one.click : []));
  }

  /** Operators have redriven everything that can be processed, so these dead letters can't be. */
  checkDeadLetters(letters: Message[]): void {
    for (const { sent } of letters) {
      if (this.mayStay(sent)) continue;
      this.report('unsettled', 'a good message stays a dead letter', idsOf(sent));
    }
  }

  /** The last audit, once the world is at rest. */
  checkEnd(
    { waiting, dead }: { waiting: Message[]; dead: Message[] },
    items: readonly Item[],
  ): void {
    for (const { id } of waiting) this.report('unsettled', 'a message never left the queue', [id]);
    for (const { sent } of dead) this.#leave(sent);
    for (const id of this.#sent.keys()) {
      if (this.#ledger.marksOf(id).length > 0 || this.#left.has(id)) continue;
      this.report('lost', 'a click was never counted', [id]);
    }
    this.visits.checkEnd();
    this.#visitors.checkEnd({ items, counted: this.countedClicks() });
  }

  #noteProcessed(sent: Sent): void {
    if (sent.click && this.isDone(sent)) this.#visitors.onProcessed(sent.click);
  }

  #leave(sent: Sent): void {
    for (const { click } of sent.parts ?? [sent]) this.#left.add(click?.id ?? '');
  }

  // An envelope may leave the queue once each click is counted or among the dead letters.
  #checkPart(part: Part, id: string): void {
    if (this.isDone(part) || this.#forwarded.has(part.detail)) return;
    const text = 'an envelope was deleted with a click that was neither counted nor forwarded';
    this.report('lost', text, [id, ...idsOf(part)]);
  }

  // Whether a message can currently be processed, or already is.
  #isGood(sent: Sent): boolean {
    if (sent.parts) return sent.parts.some((part) => this.#isGood(part));
    if (!sent.click || !this.#links.accepts(sent.click)) return false;
    return this.#ledger.marksOf(sent.click.id).length === 0 || this.isDone(sent);
  }

  // Returns the click that was counted.
  #checkMark({ click, expiryMs }: Mark): Click | undefined {
    const sent = this.#sent.get(click.id)?.filter((one) => isSame(click, one.click)) ?? [];
    const [first] = sent;
    const ids = [click.id, click.code];
    if (!first) {
      this.report('made up', 'a click was counted that nobody sent', ids);
      return undefined;
    }
    // An expiry is in whole seconds.
    if (expiryMs + 1_000 < first.sentMs + markerLifeMs(this.#settings)) {
      this.report('short marker', 'a marker expires while its click can still come again', ids);
    }
    if (this.#ledger.marksOf(click.id).length > 1) {
      this.report('counted twice', 'a click was counted again', ids);
    }
    const clicks = sent.flatMap((one) => one.click ?? []);
    const whole = clicks.find(({ campaigns }) => campaigns.length > 0);
    const mayLackCampaigns = clicks.some(({ campaigns }) => campaigns.length === 0);
    return whole ? { ...whole, mayLackCampaigns } : first.click;
  }

  // A slot's value is five bytes of a hash.
  #findClick({ key, attribute, value }: NewSlot): Click | undefined {
    const ofSlot = this.#sent.get(this.#ids.get(`${key} ${attribute}`) ?? '');
    return ofSlot?.find(({ click }) => click && hashOf(click) === value)?.click;
  }
}

function hashOf({ code, day }: MarkedClick): string {
  return createHash('md5')
    .update(JSON.stringify([code, day]))
    .digest()
    .toString('base64', 0, 5);
}

function isSame(a: MarkedClick, b: MarkedClick | undefined): boolean {
  return a.code === b?.code && a.day === b.day;
}

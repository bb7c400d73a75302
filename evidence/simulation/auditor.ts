import type { Change } from './dynamodb/table.ts';
import { Ledger } from './ledger.ts';
import type { Message } from './queue.ts';
import type { Settings } from './settings.ts';

/** A click as its producer meant it. */
export interface Click {
  id: string;
  code: string;
  /** The UTC day, yyyy-mm-dd. */
  day: string;
}

/** What was sent: a click, or a message that is none. */
export interface Sent {
  click?: Click;
  sentMs: number;
  /** When the click was sent for the first time, where this is a copy. */
  firstSentMs?: number;
  /** The id was used before, for another click, whose marker has expired since. */
  isReuse?: boolean;
}

export interface Violation {
  kind: string;
  text: string;
  /** What it is about, to pick its history out of a trace. */
  about: string[];
}

/**
 * Knows only what was sent and what is stored, and nothing of how the service works. It checks
 * the design's four invariants at every commit, at every message that leaves a queue, and at the
 * end.
 */
export class Auditor {
  readonly violations: Violation[] = [];
  readonly #settings: Settings;
  readonly #now: () => number;
  readonly #ledger = new Ledger();
  readonly #sent = new Map<string, Sent[]>();
  readonly #bodies = new Map<string, string>();
  readonly #answered = new Set<string>();
  readonly #taken = new Map<string, string>();

  constructor(settings: Settings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  /** A producer's message was taken by the bus or the queue. */
  onSent(sent: Sent): void {
    if (!sent.click) return;
    const ofId = this.#sent.get(sent.click.id);
    if (ofId) ofId.push(sent);
    else this.#sent.set(sent.click.id, [sent]);
  }

  /** A visitor was sent on, so the click must be somewhere. */
  onVisited(visit: string): void {
    this.#answered.add(visit);
  }

  /** The bus or the queue took a visit's click, or it was logged whole. */
  onVisitTaken(visit: string, { id }: Click): void {
    const earlier = this.#taken.get(visit);
    if (earlier === undefined) this.#taken.set(visit, id);
    else if (earlier !== id) this.#report('counted twice', 'a visit has two ids', [visit, id]);
  }

  /** Something was stored, all at one instant. */
  onCommit(changes: Change[]): void {
    const { marks, problems } = this.#ledger.record(changes);
    for (const { text, about } of problems) this.#report('sums', text, about);
    for (const { click, ttlMs } of marks) this.#checkMarker(click, ttlMs);
  }

  /** A message came into the queue for the first time. */
  onEnqueued({ id, body }: Message): void {
    this.#bodies.set(id, body);
  }

  /** A message was taken out of the queue as done. */
  onDeleted({ id, sent }: Message): void {
    this.#bodies.delete(id);
    if (!sent.click) {
      this.#report('poison taken for done', 'a message that is no click was deleted', [id]);
    } else if (!this.isCounted(sent)) {
      this.#report(
        'lost',
        'a message was deleted, but its click is not counted',
        about(sent.click),
      );
    }
  }

  /** A message was moved to the dead-letter queue. */
  onDeadLetter({ id, body }: Message): void {
    if (this.#bodies.get(id) !== body) this.#report('changed', 'a dead letter was changed', [id]);
  }

  /** A message became too old. In the dead-letter queue it waited for a human for two weeks. */
  onExpired({ id, sent }: Message, isDeadLetter: boolean): void {
    if (isDeadLetter && !this.isCountable(sent)) return;
    const where = isDeadLetter ? 'ClickDLQ' : 'ClickQueue';
    const click = sent.click ? about(sent.click) : [id];
    this.#report('expired', `a message expired in ${where} before it was counted`, click);
  }

  /** The aggregator reported a message as failed although the world was kind. */
  onNeedlessFailure({ sent }: Message): void {
    if (!sent.click || !this.isCountable(sent)) return;
    this.#report('needless failure', 'a good message failed in a kind world', about(sent.click));
  }

  /** Whether a message can and shall be counted as things are, or already is. */
  isCountable({ click }: Sent): boolean {
    if (!click || !this.#ledger.isHealthy(click.code)) return false;
    const marks = this.#ledger.marksOf(click.id);
    return marks.length === 0 || marks.some((mark) => isSame(mark.click, click));
  }

  /** Whether the click of a message is counted already. */
  isCounted({ click, isReuse, sentMs }: Sent): boolean {
    if (!click) return false;
    const marks = this.#ledger.marksOf(click.id).filter((mark) => isSame(mark.click, click));
    const needed = isReuse && (marks[0]?.ttlMs ?? 0) < sentMs ? 2 : 1;
    return marks.length >= needed;
  }

  /** Clicks that were counted, up to so many; whether they were sent again does not matter. */
  countedClicks(max: number): Click[] {
    const ids = [...this.#sent.keys()].slice(0, max);
    return ids.flatMap((id) =>
      this.#ledger
        .marksOf(id)
        .slice(0, 1)
        .map(({ click }) => click),
    );
  }

  /** Compares what the service says of a link with what is stored. */
  checkStatistics(code: string, body: string | undefined): void {
    const { clicks, days } = this.#ledger.sumsOf(code);
    const expected = JSON.stringify({ clicks, days });
    const said = JSON.parse(body ?? '{}');
    if (JSON.stringify({ clicks: said.clicks, days: said.days }) !== expected) {
      this.#report('statistics', `expected ${expected}; the service said ${body}`, [code]);
    }
  }

  /** The last audit, when the world has come to rest. */
  checkEnd(waiting: Message[], dead: Message[]): void {
    for (const { id } of waiting) this.#report('unsettled', 'a message never left the queue', [id]);
    for (const { sent } of dead) {
      if (!sent.click || !this.isCountable(sent)) continue;
      this.#report('unsettled', 'a good message stays a dead letter', about(sent.click));
    }
    const deadIds = new Set(dead.map(({ sent }) => sent.click?.id));
    for (const [id, ofId] of this.#sent) this.#checkId(id, ofId, deadIds);
    for (const { text, about } of this.#ledger.compare()) this.#report('sums', text, about);
    for (const visit of this.#answered) {
      if (this.#taken.has(visit)) continue;
      this.#report('vanished', 'a visitor was sent on, but the click went nowhere', [visit]);
    }
  }

  // How often each id was counted: once, or once more for each use after its marker expired.
  #checkId(id: string, ofId: Sent[], deadIds: Set<string | undefined>): void {
    const counted = this.#ledger.marksOf(id);
    const reused = ofId.filter((sent) => sent.isReuse && (counted[0]?.ttlMs ?? 0) < sent.sentMs);
    const expected = 1 + Math.min(1, reused.length);
    if (counted.length > expected) this.#report('counted twice', `${id} was counted twice`, [id]);
    const isExcused = counted.length === 0 && deadIds.has(id);
    if (counted.length < expected && !isExcused) {
      this.#report('lost', `${id} was counted ${counted.length} times`, [id]);
    }
  }

  #checkMarker(click: Click, ttlMs: number): void {
    const sent = this.#sent.get(click.id)?.filter((one) => one.click && isSame(one.click, click));
    const first = sent?.at(-1)?.isReuse ? sent.at(-1) : sent?.[0];
    if (!first) {
      this.#report('made up', 'a click was counted that nobody sent', about(click));
      return;
    }
    const { busRetryMs, queueRetentionMs, deadLetterRetentionMs } = this.#settings;
    const mustLiveMs = busRetryMs + queueRetentionMs + deadLetterRetentionMs + queueRetentionMs;
    // The marker's time is in whole seconds.
    if (ttlMs + 1_000 < first.sentMs + mustLiveMs) {
      this.#report('short marker', 'a marker expires before its click is gone', about(click));
    }
    const earlier = this.#ledger.marksOf(click.id).at(-2);
    if (earlier && !(first.isReuse && earlier.ttlMs < this.#now())) {
      this.#report('counted twice', 'a click was counted again', about(click));
    }
  }

  #report(kind: string, text: string, about: string[]): void {
    if (this.violations.length < 20) this.violations.push({ kind, text, about });
  }
}

function isSame(a: Click, b: Click): boolean {
  return a.code === b.code && a.day === b.day;
}

function about({ id, code }: Click): string[] {
  return [id, code];
}

import { Attempt, type CommitOptions, toError, transactionMs } from './attempt.ts';
import { Attempts } from './attempts.ts';
import {
  chooseTransactions,
  countBlocked,
  entriesOf,
  findReady,
  isBlocked,
  stuckMs,
} from './choose-entries.ts';
import { allActionsOf, type Entry, maxItems, type Outcome } from './entry.ts';
import { KeyOrder } from './key-order.ts';
import { packEntries } from './pack.ts';
import { PendingEntry } from './pending-entry.ts';
import type { Verdict } from './verdict.ts';

/**
 * Payloads that arrive in one tick reach the queue within a few promise jobs of each other. So many jobs
 * without another payload take microseconds. No timer is involved, because tests may have replaced them.
 */
const gatherJobs = 50;

/**
 * All requests of a layer. An entry goes at once if nothing is in flight. Otherwise it waits until a
 * request ends, for at most {@link transactionMs}, or until a transaction is full: so the entries that
 * arrive meanwhile go together. README.md in this folder has the rules.
 */
export class CommitQueue {
  readonly #options: CommitOptions;
  readonly #keys: KeyOrder;
  /** Entries of this tick. */
  #arrived: PendingEntry[] = [];
  /** Entries that aren't in a transaction yet, in the order of their arrival. */
  #waiting: PendingEntry[] = [];
  /** The items of the entries that have arrived since transactions were last packed. */
  readonly #newItems = new Set<string>();
  /** Since when entries wait although a request could be made. */
  #heldSinceMs = Number.POSITIVE_INFINITY;
  readonly #attempts = new Attempts();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CommitOptions) {
    this.#options = options;
    this.#keys = new KeyOrder(options.random);
  }

  /** Commits an entry. Never rejects: an error is an outcome, too. */
  commit(entry: Entry): Promise<Outcome> {
    const pending = new PendingEntry(entry);
    this.#arrived.push(pending);
    if (this.#arrived.length === 1) void this.#gather();
    return pending.outcome;
  }

  async #gather(): Promise<void> {
    const sinceMs = Date.now();
    let known = 1;
    for (let jobs = 0; jobs < gatherJobs; jobs += 1) {
      await undefined;
      if (this.#arrived.length > known) {
        known = this.#arrived.length;
        jobs = 0;
      }
    }
    this.#admit(this.#arrived.splice(0), sinceMs);
    this.#dispatch();
  }

  // Reporting a payload takes at most as long as preparing it did, whatever the share of a core.
  #admit(arrived: readonly PendingEntry[], sinceMs: number): void {
    const nowMs = Date.now();
    const { reserveMs = 0 } = this.#options;
    const reportMs = reserveMs > 0 ? reserveMs + nowMs - sinceMs : 0;
    for (const pending of arrived) {
      try {
        pending.start(nowMs, reportMs);
        if (!pending.isResolved && this.#keys.add(pending)) this.#enqueue(pending, nowMs);
      } catch (error) {
        this.#fail([pending], error);
      }
    }
  }

  #enqueue(pending: PendingEntry, nowMs: number): void {
    this.#waiting.push(pending);
    this.#heldSinceMs = Math.min(this.#heldSinceMs, nowMs);
    for (const { itemId } of allActionsOf(pending.entry)) this.#newItems.add(itemId);
  }

  /**
   * Sends what can be sent. Entries that wait go along if their time has come, such as at a request's end.
   * A timer passes the time that it was set for, because a test may have stopped the clock.
   */
  #dispatch(isDue = false, timerMs = 0): void {
    const nowMs = Math.max(Date.now(), timerMs);
    try {
      this.#sendDue(nowMs, isDue);
    } catch (error) {
      this.#failIdle(error);
    }
    this.#setTimer(nowMs);
  }

  #sendDue(nowMs: number, isDue: boolean): void {
    this.#sendAgain(nowMs);
    const isHeldLong = nowMs >= this.#heldSinceMs + transactionMs;
    const isFull = this.#newItems.size >= maxItems;
    const isQuiet = this.#attempts.areQuiet;
    if (isDue || isHeldLong || isQuiet) this.#sendWaiting(nowMs, isQuiet);
    else if (isFull) this.#sendFull(nowMs);
  }

  // A mistake of the queue itself fails all entries that aren't in flight, and doesn't end the process.
  #failIdle(thrown: unknown): void {
    const { idle } = this.#attempts;
    const failed = [...idle.flatMap(({ entries }) => entries), ...this.#waiting];
    for (const attempt of idle) this.#attempts.delete(attempt);
    this.#waiting = [];
    this.#newItems.clear();
    this.#heldSinceMs = Number.POSITIVE_INFINITY;
    this.#fail(failed, thrown);
  }

  #sendAgain(nowMs: number): void {
    for (const attempt of this.#attempts.findDue(nowMs)) {
      if (this.#attempts.free === 0) return;
      if (!isBlocked(attempt, this.#attempts, nowMs)) void this.#send(attempt, nowMs);
    }
  }

  #sendWaiting(nowMs: number, isQuiet: boolean): void {
    const free = this.#attempts.free;
    if (free === 0) return;
    this.#heldSinceMs = Number.POSITIVE_INFINITY;
    this.#dropUnwanted();
    const ready = findReady(this.#waiting, this.#attempts, nowMs);
    // While requests are in flight, more items in one are better than more requests.
    const packed = packEntries(entriesOf(ready), isQuiet ? free : 0);
    this.#start(ready, chooseTransactions(ready, packed.flat(), free), nowMs);
  }

  // What doesn't fit into the full transaction goes on waiting.
  #sendFull(nowMs: number): void {
    const ready = findReady(this.#waiting, this.#attempts, nowMs);
    const packed = packEntries(entriesOf(ready), 0).flat();
    const most = packed.length > 1 && this.#attempts.free > 0 ? 1 : 0;
    this.#start(ready, chooseTransactions(ready, packed, most), nowMs);
  }

  #start(ready: readonly PendingEntry[], attempts: readonly Attempt[], nowMs: number): void {
    const sent = new Set(attempts.flatMap(({ entries }) => entries));
    this.#waiting = this.#waiting.filter((pending) => !sent.has(pending));
    this.#newItems.clear();
    for (const pending of ready) {
      if (sent.has(pending)) continue;
      for (const { itemId } of allActionsOf(pending.entry)) this.#newItems.add(itemId);
    }
    for (const attempt of attempts) void this.#send(attempt, nowMs);
  }

  // The deadlines of these have passed, so they have their outcomes.
  #dropUnwanted(): void {
    const unwanted = this.#waiting.filter((pending) => !this.#keys.isWanted(pending));
    if (unwanted.length === 0) return;
    this.#waiting = this.#waiting.filter((pending) => this.#keys.isWanted(pending));
    for (const pending of unwanted) this.#settle(pending, pending.failures.toLateError());
  }

  // Whatever is thrown is the outcome of these entries, and frees their keys and the request.
  async #send(attempt: Attempt, nowMs: number): Promise<void> {
    attempt.markSent(nowMs);
    this.#attempts.add(attempt);
    try {
      this.#apply(attempt, await attempt.send(this.#options));
    } catch (error) {
      this.#attempts.delete(attempt);
      this.#fail(attempt.entries, error);
    }
    this.#dispatch(true);
  }

  #apply(attempt: Attempt, verdict: Verdict): void {
    const { entries } = attempt;
    this.#attempts.delete(attempt);
    switch (verdict.kind) {
      case 'committed':
        for (const pending of entries) this.#settle(pending, { kind: 'committed' });
        return;
      case 'retry':
        this.#delay(attempt, verdict.contendedItems);
        this.#attempts.add(attempt);
        return;
      case 'split': {
        const isFirst = new Set(verdict.first);
        const isContended = verdict.contendedItems.size > 0;
        const first = new Attempt(entries.filter(({ entry }) => isFirst.has(entry)));
        const others = entries.filter(({ entry }) => !isFirst.has(entry));
        const second = new Attempt(others, isContended ? attempt : undefined);
        if (isContended) this.#delay(second, verdict.contendedItems);
        this.#attempts.add(first);
        this.#attempts.add(second);
        return;
      }
      case 'failed':
        this.#applyFailure(entries, verdict.outcomes, verdict.changed);
    }
  }

  #applyFailure(
    entries: readonly PendingEntry[],
    outcomes: ReadonlyMap<Entry, Outcome>,
    changed: ReadonlyMap<Entry, Entry>,
  ): void {
    const rest: PendingEntry[] = [];
    for (const pending of entries) {
      const outcome = outcomes.get(pending.entry);
      pending.entry = changed.get(pending.entry) ?? pending.entry;
      if (outcome) this.#settle(pending, outcome);
      else rest.push(pending);
    }
    if (rest.length > 0) this.#attempts.add(new Attempt(rest));
  }

  #settle(pending: PendingEntry, outcome: Outcome): void {
    const next = this.#keys.settle(pending, outcome);
    if (next) this.#enqueue(next, Date.now());
  }

  #fail(entries: readonly PendingEntry[], thrown: unknown): void {
    const error = toError(thrown);
    for (const pending of entries) this.#settle(pending, error);
  }

  #delay(attempt: Attempt, contendedItems: ReadonlySet<string>): void {
    const othersMs = countBlocked(this.#waiting, contendedItems) * transactionMs;
    attempt.retryLater({ contendedItems, othersMs, random: this.#options.random });
  }

  // A request's end dispatches by itself.
  #setTimer(nowMs: number): void {
    clearTimeout(this.#timer);
    const dueMs: number[] = [this.#heldSinceMs + transactionMs];
    for (const { sentMs, notBeforeMs } of this.#attempts) {
      if (sentMs === undefined) dueMs.push(notBeforeMs);
      else if (this.#waiting.length > 0) dueMs.push(sentMs + stuckMs);
    }
    const nextMs = Math.min(...dueMs.filter((timeMs) => timeMs > nowMs));
    if (nextMs === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#dispatch(true, nextMs), Math.ceil(nextMs - nowMs));
  }
}

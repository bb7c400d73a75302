import { type Duplicate, type Entry, hasSameEffects, type Outcome } from './entry.ts';
import { CommitDeadlineError, CommitRejectedError } from './errors.ts';
import { graceMs, type PendingEntry } from './pending-entry.ts';
import { hashOfSlot } from './slot-marker.ts';

/** At most this many payloads of one key are tried one after another, because a sender chooses their number. */
const maxTries = 3;

/** The payloads of one key. */
interface KeyGroup {
  tried: PendingEntry;
  tries: number;
  repeats: PendingEntry[];
  /** Payloads that failed while others with the same hash, but other effects, are still to be tried. */
  failed: Map<PendingEntry, Error>;
}

/** Lets one payload of each key be tried at a time. The others wait for its outcome, and may share it. */
export class KeyOrder {
  readonly #groups = new Map<string, KeyGroup>();
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Returns whether the payload is to be tried now. */
  add(pending: PendingEntry): boolean {
    const { idempotencyKey } = pending.entry;
    const group = this.#groups.get(idempotencyKey);
    if (!group) {
      this.#groups.set(idempotencyKey, {
        tried: pending,
        tries: 1,
        repeats: [],
        failed: new Map(),
      });
      return true;
    }
    pending.triedAs = group.tried;
    group.repeats.push(pending);
    return false;
  }

  /** Whether somebody still waits for the outcome of a payload that is tried. */
  isWanted({ entry, isSettled }: PendingEntry): boolean {
    const repeats = this.#groups.get(entry.idempotencyKey)?.repeats ?? [];
    return !isSettled || repeats.some((repeat) => !repeat.isSettled);
  }

  /** Settles a payload that was tried, and its repeats. Returns the one to be tried next, if any. */
  settle(pending: PendingEntry, outcome: Outcome): PendingEntry | undefined {
    const { idempotencyKey } = pending.entry;
    const group = this.#groups.get(idempotencyKey);
    this.#groups.delete(idempotencyKey);
    const { repeats = [], tries = 0, failed = new Map<PendingEntry, Error>() } = group ?? {};
    const left: PendingEntry[] = [];
    for (const one of [pending, ...repeats]) {
      const own = one === pending ? outcome : outcomeOfRepeat(one, pending, outcome);
      if (one.isSettled) continue;
      if (own === undefined) left.push(one);
      else if (own instanceof Error) failed.set(one, own);
      else one.settle(own);
    }
    const isOver = left.length === 0 || tries >= maxTries;
    settleFailed(failed, isOver ? [] : left, pending, outcome);
    if (isOver) {
      for (const repeat of left) repeat.settle(tooManyError());
      return undefined;
    }
    const tried = this.#choose(left);
    const others = left.filter((repeat) => repeat !== tried);
    for (const repeat of others) repeat.triedAs = tried;
    tried.triedAs = undefined;
    this.#groups.set(idempotencyKey, { tried, tries: tries + 1, repeats: others, failed });
    return tried;
  }

  // In a fixed order, three payloads could block another one of their key in every delivery. Of equal
  // payloads, the one with the most time is tried.
  #choose(left: PendingEntry[]): PendingEntry {
    const chosen = left[Math.floor(this.#random() * left.length)]?.entry;
    const equals = left.filter(({ entry }) => entry.payloadHash === chosen?.payloadHash);
    return equals.reduce((best, one) => (one.deadlineMs > best.deadlineMs ? one : best));
  }
}

/** Settles the payloads that failed, except those that may still be duplicates of one that's left. */
function settleFailed(
  failed: Map<PendingEntry, Error>,
  left: readonly PendingEntry[],
  tried: PendingEntry,
  outcome: Outcome,
): void {
  for (const [one, error] of failed) {
    if (left.some((other) => isSamePayload(other, one))) continue;
    failed.delete(one);
    const isDuplicate = !(outcome instanceof Error) && isSamePayload(one, tried);
    one.settle((isDuplicate && outcomeOfRepeat(one, tried, outcome)) || error);
  }
}

function isSamePayload(a: PendingEntry, b: PendingEntry): boolean {
  return a.entry.payloadHash === b.entry.payloadHash;
}

// A repeat of a committed entry is a duplicate. A repeat of a failed entry shares its failure, unless
// its payload or its effects differ, or it has more time. Then it's tried by itself.
function outcomeOfRepeat(
  repeat: PendingEntry,
  tried: PendingEntry,
  outcome: Outcome,
): Outcome | undefined {
  if (outcome instanceof Error) {
    const hasMoreTime = repeat.deadlineMs > tried.deadlineMs + graceMs;
    if (outcome instanceof CommitDeadlineError && hasMoreTime) return undefined;
    const isEqual = isSamePayload(repeat, tried) && hasSameEffects(repeat.entry, tried.entry);
    return isEqual ? outcome : undefined;
  }
  return outcome.kind === 'committed'
    ? duplicateOf(tried.entry)
    : compareSlot(outcome, repeat.entry);
}

function duplicateOf({ payloadHash, response }: Entry): Duplicate {
  return { kind: 'duplicate', payloadHash, response };
}

function compareSlot(duplicate: Duplicate, { payloadHash }: Entry): Duplicate {
  const { slotValue } = duplicate;
  return slotValue ? { ...duplicate, payloadHash: hashOfSlot(slotValue, payloadHash) } : duplicate;
}

function tooManyError(): CommitRejectedError {
  return new CommitRejectedError(
    `expected at most ${maxTries} payloads of one key at once; got more, so this one was not tried`,
  );
}

import { toError } from './attempt.ts';
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
  repeats: Repeat[];
}

/** A payload that waits for the outcome of the one that's tried. */
interface Repeat {
  pending: PendingEntry;
  /** It failed already, but is a duplicate if another one of its hash, with other effects, is committed. */
  failure?: Error;
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
      this.#groups.set(idempotencyKey, { tried: pending, tries: 1, repeats: [] });
      return true;
    }
    pending.triedAs = group.tried;
    group.repeats.push({ pending });
    return false;
  }

  /** Whether somebody still waits for the outcome of a payload that is tried. */
  isWanted({ entry, isResolved }: PendingEntry): boolean {
    const repeats = this.#groups.get(entry.idempotencyKey)?.repeats ?? [];
    return !isResolved || repeats.some(({ pending }) => !pending.isResolved);
  }

  /** Settles a payload that was tried, and its repeats. Returns the one to be tried next, if any. */
  settle(tried: PendingEntry, outcome: Outcome): PendingEntry | undefined {
    const { idempotencyKey } = tried.entry;
    const group = this.#groups.get(idempotencyKey);
    if (group?.tried !== tried) {
      tried.resolve(outcome);
      return undefined;
    }
    this.#groups.delete(idempotencyKey);
    const all: Repeat[] = [{ pending: tried }, ...group.repeats];
    const open = all.filter(({ pending }) => !pending.isResolved);
    const judged = open.map((one) => ({
      pending: one.pending,
      own: judge(one, tried, outcome),
    }));
    const undecided = judged.filter(({ own }) => own === undefined).map(({ pending }) => pending);
    const candidates = group.tries < maxTries ? undecided : [];
    const hashes = new Set(candidates.map(({ entry }) => entry.payloadHash));
    const failed: Repeat[] = [];
    for (const { pending, own } of judged) {
      const mayBeDuplicate = hashes.has(pending.entry.payloadHash);
      if (own instanceof Error && mayBeDuplicate) failed.push({ pending, failure: own });
      else if (own) pending.resolve(own);
    }
    if (candidates.length > 0) return this.#tryNext(candidates, failed, group.tries + 1);
    for (const pending of undecided) pending.resolve(tooManyError());
    return undefined;
  }

  #tryNext(candidates: PendingEntry[], failed: Repeat[], tries: number): PendingEntry {
    const tried = this.#choose(candidates);
    const others = candidates.filter((pending) => pending !== tried);
    for (const pending of others) pending.triedAs = tried;
    tried.triedAs = undefined;
    const repeats = [...others.map((pending) => ({ pending })), ...failed];
    this.#groups.set(tried.entry.idempotencyKey, { tried, tries, repeats });
    return tried;
  }

  // In a fixed order, three payloads could block another one of their key in every delivery. Of equal
  // payloads, the one with the most time is tried.
  #choose(candidates: PendingEntry[]): PendingEntry {
    const chosen = candidates[Math.floor(this.#random() * candidates.length)]?.entry;
    const equals = candidates.filter(({ entry }) => entry.payloadHash === chosen?.payloadHash);
    return equals.reduce((best, one) => (one.deadlineMs > best.deadlineMs ? one : best));
  }
}

/** A payload's outcome after that of the tried one. Undefined if it's to be tried by itself. */
function judge(
  { pending, failure }: Repeat,
  tried: PendingEntry,
  outcome: Outcome,
): Outcome | undefined {
  if (pending === tried) return outcome;
  const isDuplicate = !(outcome instanceof Error) && isSamePayload(pending, tried);
  if (failure && !isDuplicate) return failure;
  try {
    return outcomeOfRepeat(pending, tried, outcome);
  } catch (error) {
    return toError(error);
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

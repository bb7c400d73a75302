import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { type Cancellation, readCancellation } from './cancellation.ts';
import type { Entry, Outcome } from './entry.ts';
import { CommitRejectedError } from './errors.ts';
import type { Transaction } from './transaction.ts';
import { isTransientError, throttlingCodes } from './transient.ts';

/** What to do after an attempt to send a transaction. */
export type Verdict =
  /** Transient failure: send the same request again. */
  | { kind: 'retry' }
  /** Some entries are settled, get other markers, or have members of sets: send the rest. */
  | ({ kind: 'peel' } & Pick<Cancellation, 'outcomes' | 'markers' | 'members'>)
  /** Only some entries meet contention: send the others without them. */
  | { kind: 'split'; contended: Set<Entry> }
  /** Some entries may be at fault, and DynamoDB doesn't say which: send each half by itself. */
  | { kind: 'bisect' };

/** Decides what the error of a TransactWriteItems call means for its entries. */
export function judgeError(error: Error, transaction: Transaction, nowMs: number): Verdict {
  if (error instanceof TransactionCanceledException) {
    const cancellation = readCancellation(transaction, error.CancellationReasons ?? [], nowMs);
    return judgeCancellation(cancellation, transaction.entries);
  }
  if (isTransientError(error)) return { kind: 'retry' };
  const rejected = new CommitRejectedError(`${error.name}: ${error.message}`, { cause: error });
  return judgeRejection(rejected, transaction.entries);
}

/** The verdict that these are the entries' outcomes. */
export const settleAll = (entries: Entry[], outcomeOf: (entry: Entry) => Outcome): Verdict => ({
  kind: 'peel',
  outcomes: new Map(entries.map((entry) => [entry, outcomeOf(entry)])),
  markers: new Map(),
  members: new Map(),
});

function judgeRejection(rejected: Error, entries: Entry[]): Verdict {
  return entries.length > 1 ? { kind: 'bisect' } : settleAll(entries, () => rejected);
}

/** Whether a transaction was cancelled by a short conflict, and not throttled. */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof TransactionCanceledException)) return false;
  return !(error.CancellationReasons ?? []).some(({ Code = 'None' }) => throttlingCodes.has(Code));
}

function judgeCancellation(cancellation: Cancellation, entries: Entry[]): Verdict {
  const { outcomes, markers, members, contended, sharedRejection } = cancellation;
  if (outcomes.size + markers.size + members.size > 0)
    return { kind: 'peel', outcomes, markers, members };
  if (sharedRejection) return judgeRejection(sharedRejection, entries);
  const isPartial = contended.size > 0 && contended.size < entries.length;
  return isPartial ? { kind: 'split', contended } : { kind: 'retry' };
}

import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { type Cancellation, readCancellation } from './cancellation.ts';
import type { Committed, Entry, Marker, Outcome } from './entry.ts';
import { CommitRejectedError } from './errors.ts';
import type { Transaction } from './transaction.ts';
import { isTransientError, throttlingCodes } from './transient.ts';

/** What to do after an attempt to send a transaction. */
export type Verdict =
  /** All entries are committed. */
  | Committed
  /** Transient failure: send the same request again. */
  | { kind: 'retry' }
  /** Some entries are settled, or get other markers: send the rest. */
  | { kind: 'peel'; outcomes: Map<Entry, Outcome>; markers: Map<Entry, Marker> }
  /** Only some entries meet contention: send the others without them. */
  | { kind: 'split'; contended: Set<Entry> }
  /** Some entries may be at fault, and DynamoDB doesn't say which: send each half by itself. */
  | { kind: 'bisect'; error: Error }
  /** The deadline has passed. */
  | { kind: 'late' };

/** Decides what the error of a TransactWriteItems call means for its entries. */
export function judgeError(error: Error, transaction: Transaction, nowMs: number): Verdict {
  if (error instanceof TransactionCanceledException) {
    const cancellation = readCancellation(transaction, error.CancellationReasons ?? [], nowMs);
    return judgeCancellation(cancellation, transaction.entries.length);
  }
  if (isTransientError(error)) return { kind: 'retry' };
  const rejected = new CommitRejectedError(`${error.name}: ${error.message}`, { cause: error });
  return { kind: 'bisect', error: rejected };
}

/** Whether a transaction was cancelled by a short conflict, and not throttled. */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof TransactionCanceledException)) return false;
  return !(error.CancellationReasons ?? []).some(({ Code = 'None' }) => throttlingCodes.has(Code));
}

function judgeCancellation(cancellation: Cancellation, entryCount: number): Verdict {
  const { outcomes, markers, contended, sharedRejection } = cancellation;
  if (outcomes.size > 0 || markers.size > 0) return { kind: 'peel', outcomes, markers };
  if (sharedRejection) return { kind: 'bisect', error: sharedRejection };
  const isPartial = contended.size > 0 && contended.size < entryCount;
  return isPartial ? { kind: 'split', contended } : { kind: 'retry' };
}

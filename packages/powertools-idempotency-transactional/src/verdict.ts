import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { type Cancellation, readCancellation } from './cancellation.ts';
import type { Entry, Outcome } from './entry.ts';
import { CommitRejectedError } from './errors.ts';
import type { Transaction } from './transaction.ts';
import { isTransientError, throttlingCodes } from './transient.ts';

/** What became of an attempt to send a transaction, and what to do with its entries. */
export type Verdict =
  /** All entries are committed. */
  | { kind: 'committed' }
  /** A transient failure: send the same request again. */
  | { kind: 'retry'; contendedItems: ReadonlySet<string> }
  /** Send the entries in two transactions. If items are contended, the second one waits. */
  | { kind: 'split'; first: Entry[]; second: Entry[]; contendedItems: ReadonlySet<string> }
  /** Some entries have their outcomes, or must be sent in another form. Send the rest again. */
  | { kind: 'failed'; outcomes: ReadonlyMap<Entry, Outcome>; changed: ReadonlyMap<Entry, Entry> };

const noItems: ReadonlySet<string> = new Set();

/** Decides what the error of an attempt means for the transaction's entries. */
export function judgeError(error: Error, transaction: Transaction, nowMs: number): Verdict {
  if (error instanceof TransactionCanceledException) {
    const cancellation = readCancellation(transaction, error.CancellationReasons ?? [], nowMs);
    return judgeCancellation(cancellation, transaction.entries);
  }
  if (isTransientError(error)) return { kind: 'retry', contendedItems: noItems };
  return judgeRejection(toRejection(error), transaction.entries);
}

/** The verdict on a request that DynamoDB rejects, or that can't be built: any entry may be at fault. */
export function judgeRejection(error: Error, entries: Entry[]): Verdict {
  const [entry] = entries;
  if (entry && entries.length === 1) {
    return { kind: 'failed', outcomes: new Map([[entry, error]]), changed: new Map() };
  }
  const middle = Math.ceil(entries.length / 2);
  return {
    kind: 'split',
    first: entries.slice(0, middle),
    second: entries.slice(middle),
    contendedItems: noItems,
  };
}

/** Says that DynamoDB rejected an entry, and why. */
export function toRejection(error: Error): CommitRejectedError {
  if (error instanceof CommitRejectedError) return error;
  return new CommitRejectedError(`${error.name}: ${error.message}`, { cause: error });
}

/** Whether a transaction was cancelled by a short conflict, and not throttled. */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof TransactionCanceledException)) return false;
  return !(error.CancellationReasons ?? []).some(({ Code = 'None' }) => throttlingCodes.has(Code));
}

function judgeCancellation(cancellation: Cancellation, entries: Entry[]): Verdict {
  const { outcomes, changed, contended, contendedItems, sharedRejection } = cancellation;
  if (outcomes.size + changed.size > 0) return { kind: 'failed', outcomes, changed };
  if (sharedRejection) return judgeRejection(sharedRejection, entries);
  if (contended.size === 0 || contended.size === entries.length)
    return { kind: 'retry', contendedItems };
  return {
    kind: 'split',
    first: entries.filter((entry) => !contended.has(entry)),
    second: entries.filter((entry) => contended.has(entry)),
    contendedItems,
  };
}

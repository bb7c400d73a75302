import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { readCancellation } from './cancellation.ts';
import type { Entry, Outcome } from './entry.ts';
import { CommitRejectedError } from './errors.ts';
import type { Transaction } from './transaction.ts';

/** What to do about a transaction that failed. */
export type Verdict =
  /** The moment was bad: send the same again. */
  | { kind: 'retry' }
  /** Some entries are settled: send the rest. */
  | { kind: 'peel'; outcomes: Map<Entry, Outcome> }
  /** Expired markers are in the way: send the same, but let these entries replace them. */
  | { kind: 'replace'; expired: Set<Entry> }
  /** Only some entries meet contention: send the others without them. */
  | { kind: 'part'; contended: Set<Entry> }
  /** One entry is at fault, and DynamoDB does not say which: halve to find it. */
  | { kind: 'halve'; error: Error }
  /** Nothing can be committed, whichever entries are sent. */
  | { kind: 'fail'; error: Error };

const passingErrors = new Set([
  'AbortError',
  'TimeoutError',
  'TransactionConflictException',
  'TransactionInProgressException',
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
]);

/** Decides what the error of a TransactWriteItems call means for its entries. */
export function judgeError(error: Error, transaction: Transaction, nowMs: number): Verdict {
  if (error instanceof TransactionCanceledException) {
    const reasons = error.CancellationReasons ?? [];
    const { outcomes, expired, contended, suspicion } = readCancellation(
      transaction,
      reasons,
      nowMs,
    );
    if (outcomes.size > 0) return { kind: 'peel', outcomes };
    if (expired.size > 0) return { kind: 'replace', expired };
    if (suspicion) return { kind: 'halve', error: suspicion };
    const isPart = contended.size > 0 && contended.size < transaction.entries.length;
    return isPart ? { kind: 'part', contended } : { kind: 'retry' };
  }
  if (isPassing(error)) return { kind: 'retry' };
  const rejected = new CommitRejectedError(`${error.name}: ${error.message}`, { cause: error });
  return { kind: isAboutOneEntry(error) ? 'halve' : 'fail', error: rejected };
}

interface ServiceError extends Error {
  /** The SDK's, on errors that DynamoDB itself has shaped. */
  $fault?: 'client' | 'server';
  $metadata?: { httpStatusCode?: number };
}

// Throttling, contention, a failing server; or no whole answer, whatever its status: none at all, one
// that was cut off, or one of something in between.
function isPassing({ name, $fault, $metadata }: ServiceError): boolean {
  if (passingErrors.has(name)) return true;
  if (!$metadata) return false;
  const { httpStatusCode = 0 } = $metadata;
  return $fault === undefined || httpStatusCode >= 500 || httpStatusCode === 429;
}

// An error without metadata arose before anything was sent, from what was to be sent.
function isAboutOneEntry({ name, $metadata }: ServiceError): boolean {
  return name === 'ValidationException' || !$metadata;
}

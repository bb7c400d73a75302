import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import type { Entry, Outcome } from './entry.ts';
import { CommitRejectedError, ItemMissingError } from './errors.ts';
import type { Position, Transaction } from './transaction.ts';

/** Reasons that say nothing about the record: another moment may do. */
const passingCodes = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

/** What a cancellation tells. Entries without an outcome were not at fault. */
export interface Cancellation {
  outcomes: Map<Entry, Outcome>;
  /** Entries that met contention or throttling at one of their items. */
  contended: Set<Entry>;
  /** An update was refused that several entries share: any one of them may be the cause. */
  suspicion?: CommitRejectedError;
}

/**
 * Reads why a transaction was cancelled, position by position.
 *
 * Only a failed condition at its own marker makes an entry a duplicate. Markers come first in a
 * transaction and their outcome stands: what was counted once stays counted, whatever else is
 * wrong by now.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export function readCancellation(
  { positions }: Transaction,
  reasons: CancellationReason[],
): Cancellation {
  const cancellation: Cancellation = { outcomes: new Map(), contended: new Set() };
  for (const [index, position] of positions.entries()) {
    const reason = reasons[index] ?? {};
    if (passingCodes.has(reason.Code ?? '')) {
      for (const entry of position.entries) cancellation.contended.add(entry);
    }
    const outcome = readReason(position, reason);
    if (!outcome) continue;
    if (outcome instanceof CommitRejectedError && position.entries.length > 1) {
      cancellation.suspicion ??= outcome;
      continue;
    }
    for (const entry of position.entries) {
      if (!cancellation.outcomes.has(entry)) cancellation.outcomes.set(entry, outcome);
    }
  }
  return cancellation;
}

function readReason({ key }: Position, reason: CancellationReason): Outcome | undefined {
  const { Code: code = 'None', Message: message, Item: marker } = reason;
  if (code === 'None' || passingCodes.has(code)) return undefined;
  if (code !== 'ConditionalCheckFailed') return new CommitRejectedError(`${code}: ${message}`);
  return key ? new ItemMissingError(key) : { kind: 'duplicate', marker };
}

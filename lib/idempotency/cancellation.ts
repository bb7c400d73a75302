import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import type { Entry, Outcome } from './entry.ts';
import { CommitRejectedError, ItemMissingError } from './errors.ts';
import type { Position, Transaction } from './transaction.ts';

/** Reasons that say nothing about the record: another moment may do. */
const passingCodes = new Set([
  'None',
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

/** What a cancellation tells. Entries without an outcome were not at fault. */
export interface Cancellation {
  outcomes: Map<Entry, Outcome>;
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
  const cancellation: Cancellation = { outcomes: new Map() };
  for (const [index, position] of positions.entries()) {
    const outcome = readReason(position, reasons[index]);
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

function readReason({ key }: Position, reason?: CancellationReason): Outcome | undefined {
  const { Code: code = 'None', Message: message, Item: marker } = reason ?? {};
  if (passingCodes.has(code)) return undefined;
  if (code !== 'ConditionalCheckFailed') return new CommitRejectedError(`${code}: ${message}`);
  return key ? new ItemMissingError(key) : { kind: 'duplicate', marker };
}

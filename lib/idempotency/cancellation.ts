import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { type Entry, expiryAttribute, type Outcome, toSeconds } from './entry.ts';
import { CommitRejectedError, ItemMissingError } from './errors.ts';
import type { SharedUpdate, Transaction } from './transaction.ts';

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
  /** Entries whose marker is there but has expired. */
  expired: Set<Entry>;
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
  { entries, updates }: Transaction,
  reasons: CancellationReason[],
  nowMs: number,
): Cancellation {
  const cancellation: Cancellation = {
    outcomes: new Map(),
    expired: new Set(),
    contended: new Set(),
  };
  for (const [index, reason] of reasons.entries()) {
    const update = updates[index - entries.length];
    const behind = update?.entries ?? entries.slice(index, index + 1);
    if (passingCodes.has(reason.Code ?? '')) addAll(cancellation.contended, behind);
    else if (isExpired(reason, nowMs)) addAll(cancellation.expired, behind);
    else settle(cancellation, blame(reason, update, behind), readReason(reason, update?.key));
  }
  return cancellation;
}

// An item that does not exist is the fault of those alone that need it to.
function blame(
  { Code }: CancellationReason,
  update: SharedUpdate | undefined,
  behind: Entry[],
): Entry[] {
  return update && Code === 'ConditionalCheckFailed' ? [...update.requiring] : behind;
}

function addAll(set: Set<Entry>, entries: Entry[]): void {
  for (const entry of entries) set.add(entry);
}

function isExpired({ Item }: CancellationReason, nowMs: number): boolean {
  return Number(Item?.[expiryAttribute]?.N) < toSeconds(nowMs);
}

function readReason(
  { Code: code = 'None', Message: message, Item: marker }: CancellationReason,
  key: Record<string, string> | undefined,
): Outcome | undefined {
  if (code === 'None') return undefined;
  if (code !== 'ConditionalCheckFailed') return new CommitRejectedError(`${code}: ${message}`);
  return key ? new ItemMissingError(key) : { kind: 'duplicate', marker };
}

function settle(cancellation: Cancellation, entries: Entry[], outcome: Outcome | undefined): void {
  if (!outcome) return;
  if (outcome instanceof CommitRejectedError && entries.length > 1) {
    cancellation.suspicion ??= outcome;
    return;
  }
  for (const entry of entries) {
    if (!cancellation.outcomes.has(entry)) cancellation.outcomes.set(entry, outcome);
  }
}

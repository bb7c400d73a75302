import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { type Entry, expiryAttribute, type Outcome, toSeconds } from './entry.ts';
import { CommitRejectedError, ItemMissingError } from './errors.ts';
import type { SharedUpdate, Transaction } from './transaction.ts';

/** Reasons that are not about the entry: a later attempt may succeed. */
const transientCodes = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

/** The outcomes of a cancelled transaction's entries. Entries not listed here are not at fault. */
export interface Cancellation {
  outcomes: Map<Entry, Outcome>;
  /** Entries whose marker exists but has expired. */
  expired: Set<Entry>;
  /** Entries that met contention or throttling at one of their items. */
  contended: Set<Entry>;
  /** DynamoDB refused an update that several entries share; any one of them may be at fault. */
  sharedRejection?: CommitRejectedError;
}

/**
 * Reads why a transaction was cancelled, position by position.
 *
 * Only a failed condition at its own marker makes an entry a duplicate. Markers come first in a
 * transaction, and the first outcome stands: a counted click stays counted, whatever else fails.
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
    const involved = update?.entries ?? entries.slice(index, index + 1);
    if (transientCodes.has(reason.Code ?? '')) addAll(cancellation.contended, involved);
    else if (isExpired(reason, nowMs)) addAll(cancellation.expired, involved);
    else settle(cancellation, atFault(reason, update, involved), toOutcome(reason, update?.key));
  }
  return cancellation;
}

// Only the entries that require an item fail when it is missing.
function atFault(
  { Code }: CancellationReason,
  update: SharedUpdate | undefined,
  involved: Entry[],
): Entry[] {
  return update && Code === 'ConditionalCheckFailed' ? [...update.requiring] : involved;
}

function addAll(set: Set<Entry>, entries: Entry[]): void {
  for (const entry of entries) set.add(entry);
}

function isExpired({ Item }: CancellationReason, nowMs: number): boolean {
  return Number(Item?.[expiryAttribute]?.N) < toSeconds(nowMs);
}

function toOutcome(
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
    cancellation.sharedRejection ??= outcome;
    return;
  }
  for (const entry of entries) {
    if (!cancellation.outcomes.has(entry)) cancellation.outcomes.set(entry, outcome);
  }
}

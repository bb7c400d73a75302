import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { boundsOf, isWithin } from './bounds.ts';
import type { Entry, IncrementAction, Item, Marker, Outcome } from './entry.ts';
import { CommitRejectedError, ConditionFailedError, ItemMissingError } from './errors.ts';
import { printKey } from './print-key.ts';
import { readMarker, readSheet } from './read-marker.ts';
import { contentionOf, outcomeFor, type Reading, rejectionOf, toNative } from './reading.ts';
import {
  isMarker,
  requiresItem,
  type Shared,
  type Transaction,
  type TransactionAction,
} from './transaction.ts';
import { isTransientCode } from './transient.ts';

/** What a cancelled transaction says about its entries. The others aren't at fault. */
export interface Cancellation {
  outcomes: ReadonlyMap<Entry, Outcome>;
  /** Entries that can be committed in another form. */
  changed: ReadonlyMap<Entry, Entry>;
  /** Entries that met contention or throttling at an item, or about which it doesn't say enough. */
  contended: ReadonlySet<Entry>;
  /** These items. */
  contendedItems: ReadonlySet<string>;
  /** DynamoDB rejected an action that several entries share. Any of them may be at fault. */
  sharedRejection: Error | undefined;
}

/**
 * Reads why a transaction was cancelled, action by action.
 *
 * Only a failed condition at its own marker makes an entry a duplicate. A duplicate also meets its
 * own earlier writes, so another action decides about an entry only if its marker is known to be free.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export function readCancellation(
  { actions }: Transaction,
  reasons: CancellationReason[],
  nowMs: number,
): Cancellation {
  const outcomes = new Map<Entry, Outcome>();
  const markers = new Map<Entry, Marker>();
  const contended = new Set<Entry>();
  const contendedItems = new Set<string>();
  // They may be duplicates, because their markers' actions say nothing about them.
  const unknown = new Set<Entry>();
  let sharedRejection: Error | undefined;
  // Markers come first in a transaction, and an entry's first outcome stands.
  for (const [index, action] of actions.entries()) {
    const isOpen = (entry: Entry) => !outcomes.has(entry) && !unknown.has(entry);
    const reading = tryToRead(action, reasons[index], nowMs);
    for (const [entry, outcome] of reading.outcomes ?? []) {
      if (isOpen(entry)) outcomes.set(entry, outcome);
    }
    for (const [entry, marker] of reading.markers ?? []) markers.set(entry, marker);
    for (const entry of reading.contended ?? []) contended.add(entry);
    if (reading.contended) contendedItems.add(action.parts[0].part.itemId);
    sharedRejection ??= reading.sharedRejection;
    if (isMarker(action) && (reading.contended || reading.sharedRejection)) {
      for (const { entry } of action.parts) unknown.add(entry);
    }
  }
  const changed = new Map([...markers].map(([entry, marker]) => [entry, { ...entry, marker }]));
  return { outcomes, changed, contended, contendedItems, sharedRejection };
}

// A value that can't be read must not decide about others.
function tryToRead(
  action: TransactionAction,
  reason: CancellationReason | undefined,
  nowMs: number,
): Reading {
  try {
    return readAction(action, reason, nowMs);
  } catch (error) {
    const message = `cannot read why the transaction was cancelled: ${error}`;
    return rejectionOf(action.parts, new CommitRejectedError(message, { cause: error }));
  }
}

function readAction(
  action: TransactionAction,
  { Code = 'None', Message, Item }: CancellationReason = {},
  nowMs: number,
): Reading {
  if (Code === 'None') return {};
  if (isTransientCode(Code)) return contentionOf(action.parts);
  if (Code !== 'ConditionalCheckFailed') {
    return rejectionOf(action.parts, new CommitRejectedError(`${Code}: ${Message}`));
  }
  switch (action.kind) {
    case 'marker':
      return Item ? readMarker(action, Item, nowMs) : contentionOf(action.parts);
    case 'slot':
      return Item ? readSheet(action, Item, nowMs) : contentionOf(action.parts);
    case 'increment':
      return readIncremented(action, Item);
    case 'write':
      return outcomeFor(action.parts, toConditionError(action.parts[0].part, Item));
  }
}

function toConditionError(
  { tableName, key }: { tableName: string; key: object },
  item: Item | undefined,
): ConditionFailedError {
  const message = `the condition of a write to ${tableName} failed at ${printKey(key)}`;
  const native = item && toNative(item);
  return new ConditionFailedError(message, {
    tableName,
    key: { ...key },
    item: native,
  });
}

function readIncremented({ parts }: Shared<IncrementAction>, item: Item | undefined): Reading {
  const { key } = parts[0].part;
  const requiring = item ? [] : parts.filter(({ part }) => requiresItem(part));
  if (requiring.length > 0) {
    const message = `expected the item ${printKey(key)} to exist; it doesn't`;
    return outcomeFor(requiring, new ItemMissingError(message, { key }));
  }
  const failing = parts.filter(({ part }) => !isWithin(item ?? {}, boundsOf(part)));
  if (failing.length === 0) return contentionOf(parts);
  return outcomeFor(failing, toConditionError(parts[0].part, item));
}

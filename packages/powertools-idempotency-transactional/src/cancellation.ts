import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { boundsOf, isWithin } from './bounds.ts';
import type { Entry, IncrementAction, Item, Marker, Outcome } from './entry.ts';
import { CommitRejectedError, ConditionFailedError, ItemMissingError } from './errors.ts';
import { findOtherTypes, findWithoutRoom, joinsSet, learnMembers } from './membership.ts';
import { printKey } from './print-key.ts';
import { readMarker, readSheet } from './read-marker.ts';
import { contend, type Reading, reject, settle, toNative } from './reading.ts';
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
  { actions, entries }: Transaction,
  reasons: CancellationReason[],
  nowMs: number,
): Cancellation {
  const outcomes = new Map<Entry, Outcome>();
  const markers = new Map<Entry, Marker>();
  const members = new Map<IncrementAction, ReadonlySet<string>>();
  const contended = new Set<Entry>();
  const contendedItems = new Set<string>();
  // They may be duplicates, because their markers' actions say nothing about them.
  const unknown = new Set<Entry>();
  let sharedRejection: Error | undefined;
  // Markers come first in a transaction, and an entry's first outcome stands.
  for (const [index, action] of actions.entries()) {
    const isOpen = (entry: Entry) => !outcomes.has(entry) && !unknown.has(entry);
    const reading = tryToRead(action, reasons[index], nowMs, isOpen);
    for (const [entry, outcome] of reading.outcomes ?? []) {
      if (isOpen(entry)) outcomes.set(entry, outcome);
    }
    for (const [entry, marker] of reading.markers ?? []) markers.set(entry, marker);
    for (const [part, names] of reading.members ?? []) members.set(part, names);
    for (const entry of reading.contended ?? []) contended.add(entry);
    if (reading.contended) contendedItems.add(action.parts[0].part.itemId);
    sharedRejection ??= reading.sharedRejection;
    if (isMarker(action) && (reading.contended || reading.sharedRejection)) {
      for (const { entry } of action.parts) unknown.add(entry);
    }
  }
  const changed = applyChanges(entries, markers, members);
  return { outcomes, changed, contended, contendedItems, sharedRejection };
}

function applyChanges(
  entries: readonly Entry[],
  markers: ReadonlyMap<Entry, Marker>,
  members: ReadonlyMap<IncrementAction, ReadonlySet<string>>,
): Map<Entry, Entry> {
  const changed = new Map<Entry, Entry>();
  if (markers.size + members.size === 0) return changed;
  for (const entry of entries) {
    const marker = markers.get(entry);
    const hasLearned = entry.actions.some((action) => members.has(action as IncrementAction));
    if (!marker && !hasLearned) continue;
    const actions = entry.actions.map((action) => {
      const learned = action.kind === 'increment' ? members.get(action) : undefined;
      return learned ? { ...action, members: learned } : action;
    });
    changed.set(entry, { ...entry, actions, ...(marker && { marker }) });
  }
  return changed;
}

// A value that can't be read must not decide about others.
function tryToRead(
  action: TransactionAction,
  reason: CancellationReason | undefined,
  nowMs: number,
  isOpen: (entry: Entry) => boolean,
): Reading {
  try {
    return readAction(action, reason, nowMs, isOpen);
  } catch (error) {
    const message = `cannot read why the transaction was cancelled: ${error}`;
    return reject(action.parts, new CommitRejectedError(message, { cause: error }));
  }
}

function readAction(
  action: TransactionAction,
  { Code = 'None', Message, Item }: CancellationReason = {},
  nowMs: number,
  isOpen: (entry: Entry) => boolean,
): Reading {
  if (Code === 'None') return {};
  if (isTransientCode(Code)) return contend(action.parts);
  if (Code !== 'ConditionalCheckFailed') {
    return reject(action.parts, new CommitRejectedError(`${Code}: ${Message}`));
  }
  switch (action.kind) {
    case 'marker':
      return Item ? readMarker(action, Item, nowMs) : contend(action.parts);
    case 'slot':
      return Item ? readSheet(action, Item, nowMs) : contend(action.parts);
    case 'increment':
      return readIncremented(action, Item, isOpen);
    case 'write':
      return settle(action.parts, toConditionError(action.parts[0].part, Item));
  }
}

function toConditionError(
  { tableName, key }: { tableName: string; key: object },
  item: Item | undefined,
  attributes: readonly string[] = [],
): ConditionFailedError {
  const message = `the condition of a write to ${tableName} failed at ${printKey(key)}`;
  const native = item && toNative(item);
  return new ConditionFailedError(message, {
    tableName,
    key: { ...key },
    item: native,
    attributes,
  });
}

function readIncremented(
  { parts }: Shared<IncrementAction>,
  item: Item | undefined,
  isOpen: (entry: Entry) => boolean,
): Reading {
  const { key } = parts[0].part;
  const requiring = item ? [] : parts.filter(({ part }) => requiresItem(part));
  if (requiring.length > 0) {
    const message = `expected the item ${printKey(key)} to exist; it doesn't`;
    return settle(requiring, new ItemMissingError(message, { key }));
  }
  const found = item ?? {};
  const ofOtherType = parts.filter(({ part }) => findOtherTypes(found, part).length > 0);
  const [set] = ofOtherType.flatMap(({ part }) => findOtherTypes(found, part));
  if (set !== undefined) {
    const expected = `expected ${set} of ${printKey(key)} to be a set of strings`;
    return settle(ofOtherType, new CommitRejectedError(`${expected}; got another type`));
  }
  // A duplicate, and an entry that is out of bounds, take no room from the others.
  const joining = parts
    .filter(({ entry, part }) => isOpen(entry) && isWithin(found, boundsOf(part)))
    .map(({ part }) => part);
  const withoutRoom = findWithoutRoom(found, joining);
  // An item that DynamoDB didn't return may have other sets. Those that have no room even in new sets
  // are sent by themselves, until it shows the item.
  if (!item && joining.some(joinsSet)) {
    const doubtful = parts.filter(({ part }) => withoutRoom.has(part));
    return contend(doubtful.length > 0 ? doubtful : parts);
  }
  const failing = parts.filter(
    ({ part }) => !isWithin(found, boundsOf(part)) || withoutRoom.has(part),
  );
  const outcomes = failing.map(({ entry, part }): [Entry, Outcome] => {
    return [entry, toConditionError(part, item, withoutRoom.get(part))];
  });
  const members = parts.flatMap(({ part }): [IncrementAction, ReadonlySet<string>][] => {
    const learned = learnMembers(found, part);
    return learned ? [[part, learned]] : [];
  });
  if (outcomes.length + members.length === 0) return contend(parts);
  return { outcomes: new Map(outcomes), members: new Map(members) };
}

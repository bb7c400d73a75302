import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { boundsOf, isWithin } from './bounds.ts';
import type { NativeItem } from './effects.ts';
import {
  type Entry,
  type IncrementAction,
  type Item,
  type ItemMarker,
  type Marker,
  markerNames,
  type Outcome,
  type SlotMarker,
  toSeconds,
} from './entry.ts';
import { CommitRejectedError, ConditionFailedError, ItemMissingError } from './errors.ts';
import { learnMembers, listPoisoned, listRefused } from './membership.ts';
import { hashOfSlot } from './sheet.ts';
import {
  isMarker,
  requiresItem,
  type Shared,
  type Transaction,
  type TransactionAction,
} from './transaction.ts';
import { isTransientCode } from './transient.ts';

/** What a cancelled transaction says about its entries. Other entries aren't at fault. */
export interface Cancellation {
  outcomes: Map<Entry, Outcome>;
  /** Other markers with which these entries can be committed. */
  markers: Map<Entry, Marker>;
  /** Which attributes of these actions are members of their sets. */
  members: Map<IncrementAction, ReadonlySet<string>>;
  /** Entries that met contention or throttling at an item, or whose marker can't be read. */
  contended: Set<Entry>;
  /** DynamoDB refused an action that several entries share. Any of them may be at fault. */
  sharedRejection?: CommitRejectedError;
}

/**
 * Reads why a transaction was cancelled, action by action.
 *
 * Only a failed condition at its own marker makes an entry a duplicate. A duplicate also meets its
 * own earlier writes, so another action settles an entry only if its marker is known to be free.
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
  const members: Cancellation['members'] = new Map();
  const contended = new Set<Entry>();
  // They may be duplicates, because their markers' actions say nothing about them.
  const unjudged = new Set<Entry>();
  let sharedRejection: CommitRejectedError | undefined;
  // Markers come first in a transaction, and an entry's first outcome stands.
  for (const [index, action] of actions.entries()) {
    const isOpen = (entry: Entry) => !outcomes.has(entry) && !unjudged.has(entry);
    const judged = judgeAction(action, reasons[index], nowMs, isOpen);
    for (const [entry, outcome] of judged.outcomes ?? []) {
      if (isOpen(entry)) outcomes.set(entry, outcome);
    }
    for (const [entry, marker] of judged.markers ?? []) markers.set(entry, marker);
    for (const [part, names] of judged.members ?? []) members.set(part, names);
    for (const entry of judged.contended ?? []) contended.add(entry);
    sharedRejection ??= judged.sharedRejection;
    if (isMarker(action) && (judged.contended || judged.sharedRejection)) {
      for (const { entry } of action.parts) unjudged.add(entry);
    }
  }
  return { outcomes, markers, members, contended, sharedRejection };
}

function judgeAction(
  action: TransactionAction,
  { Code = 'None', Message, Item }: CancellationReason = {},
  nowMs: number,
  isOpen: (entry: Entry) => boolean,
): Partial<Cancellation> {
  if (Code === 'None') return {};
  if (isTransientCode(Code)) return contend(action.parts);
  if (Code !== 'ConditionalCheckFailed') {
    const error = new CommitRejectedError(`${Code}: ${Message}`);
    return action.parts.length === 1 ? settle(action.parts, error) : { sharedRejection: error };
  }
  switch (action.kind) {
    case 'marker':
      return Item ? readMarker(action, Item, nowMs) : contend(action.parts);
    case 'slot':
      return Item ? readSheet(action, Item, nowMs) : contend(action.parts);
    case 'increment':
      return readIncremented(action, Item, isOpen);
    case 'write': {
      const { tableName, key } = action.parts[0].part;
      const error = new ConditionFailedError(tableName, key, Item && toNative(Item));
      return settle(action.parts, error);
    }
  }
}

function readIncremented(
  { parts }: Shared<IncrementAction>,
  item: Item | undefined,
  isOpen: (entry: Entry) => boolean,
): Partial<Cancellation> {
  const { tableName, key } = parts[0].part;
  const requiring = item ? [] : parts.filter(({ part }) => requiresItem(part));
  if (requiring.length > 0) return settle(requiring, new ItemMissingError(key));
  const found = item ?? {};
  const poisoned = parts.filter(({ part }) => listPoisoned(found, part).length > 0);
  if (poisoned.length > 0) {
    const [set] = poisoned.flatMap(({ part }) => listPoisoned(found, part));
    const expected = `expected ${set} of ${JSON.stringify(key)} to be a set of strings`;
    return settle(poisoned, new CommitRejectedError(`${expected}; got another type`));
  }
  // A duplicate, and an entry that is out of bounds, take no room from the others.
  const joining = parts.filter(
    ({ entry, part }) => isOpen(entry) && isWithin(found, boundsOf(part)),
  );
  const withoutRoom = listRefused(
    found,
    joining.map(({ part }) => part),
  );
  const refused = parts.filter(
    ({ part }) => !isWithin(found, boundsOf(part)) || withoutRoom.has(part),
  );
  const outcomes = refused.map(({ entry, part }): [Entry, Outcome] => {
    const attributes = withoutRoom.get(part);
    return [entry, new ConditionFailedError(tableName, key, item && toNative(item), attributes)];
  });
  const members = parts.flatMap(({ part }): [IncrementAction, ReadonlySet<string>][] => {
    const learned = learnMembers(found, part);
    return learned ? [[part, learned]] : [];
  });
  if (outcomes.length + members.length === 0) return contend(parts);
  return { outcomes: new Map(outcomes), members: new Map(members) };
}

const contend = (parts: { entry: Entry }[]) => ({
  contended: new Set(parts.map(({ entry }) => entry)),
});

const settle = (parts: { entry: Entry }[], outcome: Outcome) => ({
  outcomes: new Map(parts.map(({ entry }) => [entry, outcome])),
});

// Undefined for an item with a number that JavaScript can't represent.
function toNative(item: Item): NativeItem | undefined {
  try {
    return unmarshall(item);
  } catch {
    return undefined;
  }
}

function readMarker(
  { parts }: Shared<ItemMarker>,
  item: Item,
  nowMs: number,
): Partial<Cancellation> {
  const [{ entry, part: marker }] = parts;
  const expirySeconds = Number(item[markerNames.expiry]?.N);
  if (expirySeconds < toSeconds(nowMs)) {
    return { markers: new Map([[entry, { ...marker, mayReplace: true }]]) };
  }
  const stored = item[markerNames.response];
  const response = stored && toNative({ stored })?.stored;
  if (stored && response === undefined) {
    const name = `${markerNames.response} of the marker ${JSON.stringify(marker.itemKey)}`;
    const expected = `expected ${name} to be a response; got another value`;
    return settle(parts, new CommitRejectedError(expected));
  }
  const payloadHash = item[markerNames.hash]?.S;
  return settle(parts, { kind: 'duplicate', payloadHash, expirySeconds, response });
}

// A slot that is set blocks its key as long as its sheet exists. The other entries only have to keep
// the sheet alive as long as it already should be.
function readSheet(action: Shared<SlotMarker>, sheet: Item, nowMs: number): Partial<Cancellation> {
  const { itemKey } = action.parts[0].part;
  const expiry = sheet[markerNames.expiry];
  const expirySeconds = expiry ? Number(expiry.N) : 0;
  // A larger number loses digits in JavaScript, and then comparisons with it don't hold.
  const isReadable = expirySeconds <= Number.MAX_SAFE_INTEGER;
  const outcomes = new Map<Entry, Outcome>();
  const markers = new Map<Entry, Marker>();
  for (const { entry, part: slot } of action.parts) {
    const stored = sheet[slot.attribute];
    if (stored) {
      const slotValue = stored.B ?? new Uint8Array();
      const payloadHash = hashOfSlot(slotValue, entry.payloadHash);
      const blockedUntil = Math.max(expirySeconds, toSeconds(nowMs) + 1);
      const duplicate = { payloadHash, slotValue, expirySeconds: blockedUntil };
      outcomes.set(entry, { kind: 'duplicate', ...duplicate });
    } else if (isReadable && slot.expirySeconds < expirySeconds) {
      markers.set(entry, { ...slot, expirySeconds });
    }
  }
  if (outcomes.size > 0 || markers.size > 0) return { outcomes, markers };
  if (isReadable) return contend(action.parts);
  const name = `${markerNames.expiry} of the sheet ${JSON.stringify(itemKey)}`;
  const got = JSON.stringify(expiry);
  const error = new CommitRejectedError(`expected ${name} to be epoch seconds; got ${got}`);
  return settle(action.parts, error);
}

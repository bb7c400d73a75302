import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { NativeItem } from './effects.ts';
import {
  type Duplicate,
  type Entry,
  type Item,
  type ItemMarker,
  inProgress,
  type Marker,
  type MarkerSchema,
  type Outcome,
  type SlotMarker,
  toSeconds,
} from './entry.ts';
import { CommitRejectedError, ConditionFailedError, ItemMissingError } from './errors.ts';
import { hashOfSlot } from './sheet.ts';
import { isMarker, requiresItem, type Transaction, type TransactionAction } from './transaction.ts';
import { isTransientCode } from './transient.ts';

/** What a cancelled transaction says about its entries. Other entries aren't at fault. */
export interface Cancellation {
  outcomes: Map<Entry, Outcome>;
  /** Other markers with which these entries can be committed. */
  markers: Map<Entry, Marker>;
  /** Entries that met contention or throttling at an item, or whose marker can't be read. */
  contended: Set<Entry>;
  /** DynamoDB refused an action that several entries share. Any of them may be at fault. */
  sharedRejection?: CommitRejectedError;
}

/** What one action of a cancelled transaction says about its entries. */
type ActionVerdict =
  /** It wasn't refused. */
  | { kind: 'passed' }
  /** It was refused for a reason that may be gone at the next attempt, or that can't be read. */
  | { kind: 'contended' }
  /** It settles some of its entries, or gives them other markers. */
  | { kind: 'settled'; outcomes: [Entry, Outcome][]; markers?: [Entry, Marker][] }
  /** DynamoDB will never accept it, and doesn't say because of which entry. */
  | { kind: 'rejected'; error: CommitRejectedError };

/**
 * Reads why a transaction was cancelled: one verdict for each action, then one for each entry.
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
  const judged = actions.map((action, index) => ({
    action,
    verdict: judgeAction(action, reasons[index], nowMs),
  }));
  const contended = judged.filter(({ verdict }) => verdict.kind === 'contended');
  const unjudged = entriesOf(
    judged.filter(
      ({ action, verdict: { kind } }) =>
        isMarker(action) && (kind === 'contended' || kind === 'rejected'),
    ),
  );
  const settled = judged.flatMap(({ verdict }) => (verdict.kind === 'settled' ? [verdict] : []));
  // Markers come first in a transaction, and an entry's first outcome stands.
  const outcomes = new Map<Entry, Outcome>();
  for (const [entry, outcome] of settled.flatMap((verdict) => verdict.outcomes)) {
    if (!outcomes.has(entry) && !unjudged.has(entry)) outcomes.set(entry, outcome);
  }
  const [sharedRejection] = judged.flatMap(({ verdict }) =>
    verdict.kind === 'rejected' ? [verdict.error] : [],
  );
  return {
    outcomes,
    markers: new Map(settled.flatMap(({ markers = [] }) => markers)),
    contended: entriesOf(contended),
    ...(sharedRejection && { sharedRejection }),
  };
}

function entriesOf(judged: { action: TransactionAction }[]): Set<Entry> {
  return new Set(judged.flatMap(({ action }) => action.entries));
}

function judgeAction(
  action: TransactionAction,
  { Code = 'None', Message, Item }: CancellationReason = {},
  nowMs: number,
): ActionVerdict {
  if (Code === 'None') return { kind: 'passed' };
  if (isTransientCode(Code)) return { kind: 'contended' };
  const { entries } = action;
  if (Code !== 'ConditionalCheckFailed') {
    const error = new CommitRejectedError(`${Code}: ${Message}`);
    return entries.length === 1 ? settle(entries, error) : { kind: 'rejected', error };
  }
  switch (action.kind) {
    case 'marker':
      return Item ? readMarker(entries, action.parts[0], Item, nowMs) : { kind: 'contended' };
    case 'slot':
      return Item ? readSheet(entries, action.parts, Item, nowMs) : { kind: 'contended' };
    case 'increment': {
      const error = new ItemMissingError(action.parts[0].key);
      const requiring = entries.filter((_, index) => {
        const part = action.parts[index];
        return part && requiresItem(part);
      });
      return settle(requiring, error);
    }
    case 'write': {
      const [{ tableName, key }] = action.parts;
      return settle(entries, new ConditionFailedError(tableName, key, Item && toNative(Item)));
    }
  }
}

// Undefined for an item with a number that JavaScript can't represent.
function toNative(item: Item): NativeItem | undefined {
  try {
    return unmarshall(item);
  } catch {
    return undefined;
  }
}

function settle(entries: Entry[], outcome: Outcome): ActionVerdict {
  return { kind: 'settled', outcomes: entries.map((entry) => [entry, outcome]) };
}

function readMarker(
  entries: Entry[],
  marker: ItemMarker,
  item: Item,
  nowMs: number,
): ActionVerdict {
  const { schema } = marker;
  const expirySeconds = Number(item[schema.expiryAttr]?.N);
  const inProgressUntilMs = readProgress(schema, item);
  if (expirySeconds < toSeconds(nowMs) || inProgressUntilMs < nowMs) {
    const replacing = { ...marker, mayReplace: true };
    return { kind: 'settled', outcomes: [], markers: entries.map((entry) => [entry, replacing]) };
  }
  const stored = item[schema.dataAttr];
  const response = stored && toNative({ stored })?.stored;
  if (stored && response === undefined) {
    const expected = `expected ${schema.dataAttr} of the marker ${JSON.stringify(marker.itemKey)}`;
    return settle(
      entries,
      new CommitRejectedError(`${expected} to be a response; got another value`),
    );
  }
  const duplicate: Duplicate = {
    kind: 'duplicate',
    payloadHash: item[schema.validationKeyAttr]?.S,
    expirySeconds,
    ...(inProgressUntilMs >= nowMs && { inProgressUntilMs }),
    ...(stored && { response }),
  };
  return settle(entries, duplicate);
}

// Until when the function of a Powertools record may run, in epoch milliseconds. NaN if it doesn't.
// A Powertools record without such a time stays in progress until it expires.
function readProgress({ powertools }: MarkerSchema, item: Item): number {
  if (!powertools || item[powertools.statusAttr]?.S !== inProgress) return Number.NaN;
  return Number(item[powertools.inProgressExpiryAttr]?.N ?? Number.POSITIVE_INFINITY);
}

// A slot that is set blocks its key as long as its sheet exists. The other entries only have to keep
// the sheet alive as long as it already should be.
function readSheet(
  entries: Entry[],
  slots: [SlotMarker, ...SlotMarker[]],
  sheet: Item,
  nowMs: number,
): ActionVerdict {
  const [{ itemKey, schema }] = slots;
  const expiry = sheet[schema.expiryAttr];
  const expirySeconds = expiry ? Number(expiry.N) : 0;
  // A larger number loses digits in JavaScript, and then comparisons with it don't hold.
  const isReadable = expirySeconds <= Number.MAX_SAFE_INTEGER;
  const outcomes: [Entry, Outcome][] = [];
  const markers: [Entry, Marker][] = [];
  for (const [index, entry] of entries.entries()) {
    const slot = slots[index];
    const stored = slot && sheet[slot.attribute];
    if (stored) {
      const slotValue = stored.B ?? new Uint8Array();
      const payloadHash = hashOfSlot(slotValue, entry.payloadHash);
      const blockedUntil = Math.max(expirySeconds, toSeconds(nowMs) + 1);
      const duplicate = { payloadHash, slotValue, expirySeconds: blockedUntil };
      outcomes.push([entry, { kind: 'duplicate', ...duplicate }]);
    } else if (slot && isReadable && slot.expirySeconds < expirySeconds) {
      markers.push([entry, { ...slot, expirySeconds }]);
    }
  }
  if (outcomes.length > 0 || markers.length > 0) return { kind: 'settled', outcomes, markers };
  if (isReadable) return { kind: 'contended' };
  const name = `${schema.expiryAttr} of the sheet ${JSON.stringify(itemKey)}`;
  const got = JSON.stringify(expiry);
  return settle(
    entries,
    new CommitRejectedError(`expected ${name} to be epoch seconds; got ${got}`),
  );
}

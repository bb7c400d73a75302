import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type Entry, type Item, type Marker, type Outcome, toSeconds } from './entry.ts';
import { CommitRejectedError, ConditionFailedError, ItemMissingError } from './errors.ts';
import { hashOfSlot } from './page.ts';
import {
  type Action,
  type FillPage,
  inProgress,
  isMarker,
  type TableSchema,
  type Transaction,
} from './transaction.ts';
import { isTransientCode } from './transient.ts';

/** What a cancelled transaction tells about its entries. Entries not listed here are not at fault. */
interface Cancellation {
  outcomes: Map<Entry, Outcome>;
  /** Other markers, with which these entries can be committed. */
  markers: Map<Entry, Marker>;
  /** Entries that met contention or throttling at one of their items. */
  contended: Set<Entry>;
  /** DynamoDB refused an action that several entries share; any one of them may be at fault. */
  sharedRejection?: CommitRejectedError;
}

/**
 * Reads why a transaction was cancelled, action by action.
 *
 * Only a failed condition at its own marker makes an entry a duplicate. Markers come first in a
 * transaction, and the first outcome stands: a counted click stays counted, whatever else fails. A
 * duplicate also meets its own earlier writes, so another condition fails an entry only if its
 * marker is known to be free.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export function readCancellation(
  { schema, actions }: Transaction,
  reasons: CancellationReason[],
  nowMs: number,
): Cancellation {
  const cancellation: Cancellation = {
    outcomes: new Map(),
    markers: new Map(),
    contended: new Set(),
  };
  const unjudged = new Set<Entry>();
  for (const [index, action] of actions.entries()) {
    const { Code = 'None', Message, Item } = reasons[index] ?? {};
    if (Code === 'None') continue;
    if (isTransientCode(Code)) {
      for (const entry of action.entries) cancellation.contended.add(entry);
      if (isMarker(action)) for (const entry of action.entries) unjudged.add(entry);
    } else if (Code === 'ConditionalCheckFailed') {
      // What was in the way of a marker is gone by now, or could not be read.
      if (isMarker(action) && !Item) for (const entry of action.entries) unjudged.add(entry);
      else readFailedCondition(schema, cancellation, unjudged, action, Item, nowMs);
    } else {
      reject(cancellation, action.entries, new CommitRejectedError(`${Code}: ${Message}`));
    }
  }
  return cancellation;
}

function readFailedCondition(
  schema: TableSchema,
  cancellation: Cancellation,
  unjudged: Set<Entry>,
  action: Action,
  item: Item | undefined,
  nowMs: number,
): void {
  if (action.kind === 'update') {
    const error = new ItemMissingError(action.key);
    const failed = [...action.requiring].filter((entry) => !unjudged.has(entry));
    for (const entry of failed) settle(cancellation, entry, error);
    return;
  }
  if (action.kind === 'write') {
    const { tableName, key, entries } = action;
    const error = new ConditionFailedError(tableName, key, item && unmarshall(item));
    const refused = entries.filter((entry) => !unjudged.has(entry));
    for (const entry of refused) settle(cancellation, entry, error);
    return;
  }
  if (!item) return;
  if (action.kind === 'page') {
    readPage(schema, cancellation, action, item, nowMs);
    return;
  }
  for (const entry of action.entries) {
    const expirySeconds = Number(item[schema.expiryAttr]?.N);
    const inProgressUntilMs = readProgress(schema, item);
    if (expirySeconds < toSeconds(nowMs) || inProgressUntilMs < nowMs) {
      cancellation.markers.set(entry, { ...action.marker, mayReplace: true });
    } else {
      const payloadHash = item[schema.validationKeyAttr]?.S;
      const stored = item[schema.dataAttr];
      settle(cancellation, entry, {
        kind: 'duplicate',
        payloadHash,
        expirySeconds,
        ...(inProgressUntilMs >= nowMs && { inProgressUntilMs }),
        ...(stored && { response: unmarshall({ stored }).stored }),
      });
    }
  }
}

// Until when the function of a stock record may run, in epoch milliseconds; NaN if it runs no more.
// A stock record without such a time stays in progress until it expires.
function readProgress({ stock }: TableSchema, item: Item): number {
  if (!stock || item[stock.statusAttr]?.S !== inProgress) return Number.NaN;
  return Number(item[stock.inProgressExpiryAttr]?.N ?? Number.POSITIVE_INFINITY);
}

// A slot that is set blocks as long as its page exists. The others only have to let the page live as
// long as it is meant to already.
function readPage(
  { expiryAttr }: TableSchema,
  cancellation: Cancellation,
  { entries, slots, itemKey }: FillPage,
  page: Item,
  nowMs: number,
): void {
  const expirySeconds = Number(page[expiryAttr]?.N);
  let isExplained = false;
  for (const [index, entry] of entries.entries()) {
    const slot = slots[index];
    const stored = slot && page[slot.attribute];
    if (stored) {
      const slotValue = stored.B ?? new Uint8Array();
      settle(cancellation, entry, {
        kind: 'duplicate',
        payloadHash: hashOfSlot(slotValue, entry.payloadHash),
        slotValue,
        expirySeconds: Math.max(expirySeconds, toSeconds(nowMs) + 1),
      });
      isExplained = true;
    } else if (slot && slot.expirySeconds < expirySeconds) {
      cancellation.markers.set(entry, { ...slot, expirySeconds });
      isExplained = true;
    }
  }
  if (isExplained) return;
  const error = new CommitRejectedError(
    `expected the page ${JSON.stringify(itemKey)} to have a number as its ${expiryAttr}`,
  );
  for (const entry of entries) settle(cancellation, entry, error);
}

function reject(cancellation: Cancellation, entries: Entry[], error: CommitRejectedError): void {
  const [only] = entries;
  if (entries.length === 1 && only) settle(cancellation, only, error);
  else cancellation.sharedRejection ??= error;
}

function settle({ outcomes }: Cancellation, entry: Entry, outcome: Outcome): void {
  if (!outcomes.has(entry)) outcomes.set(entry, outcome);
}

import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  type Duplicate,
  type Entry,
  type Item,
  type Marker,
  type Outcome,
  toSeconds,
} from './entry.ts';
import { CommitRejectedError, ConditionFailedError, ItemMissingError } from './errors.ts';
import { hashOfSlot } from './sheet.ts';
import {
  type Action,
  type FillSheet,
  inProgress,
  isMarker,
  type PutMarker,
  type TableSchema,
  type Transaction,
} from './transaction.ts';
import { isTransientCode } from './transient.ts';

const conditionFailed = 'ConditionalCheckFailed';

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

/** An action that was refused. */
interface Refusal {
  action: Action;
  code: string;
  message: string | undefined;
  /** What is in the way, if DynamoDB returned it. */
  item: Item | undefined;
}

/** What one refusal tells. */
type Finding = Partial<Omit<Cancellation, 'contended'>>;

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
  const refusals = actions.flatMap((action, index): Refusal[] => {
    const { Code: code = 'None', Message: message, Item: item } = reasons[index] ?? {};
    return code === 'None' ? [] : [{ action, code, message, item }];
  });
  const unexplained = refusals.filter(
    (refusal) => isMarker(refusal.action) && !explains(readRefusal(schema, refusal, [], nowMs)),
  );
  const unjudged = entriesOf(unexplained);
  const outcomes = new Map<Entry, Outcome>();
  const markers = new Map<Entry, Marker>();
  let sharedRejection: CommitRejectedError | undefined;
  for (const refusal of refusals) {
    const finding = readRefusal(schema, refusal, [...unjudged], nowMs);
    for (const [entry, outcome] of finding.outcomes ?? []) {
      if (!outcomes.has(entry)) outcomes.set(entry, outcome);
    }
    for (const [entry, marker] of finding.markers ?? []) markers.set(entry, marker);
    sharedRejection ??= finding.sharedRejection;
  }
  const transient = refusals.filter(({ code }) => isTransientCode(code));
  // An unreadable marker must not hold up the transaction's other entries.
  const contended = entriesOf([...transient, ...unexplained]);
  return { outcomes, markers, contended, ...(sharedRejection && { sharedRejection }) };
}

const entriesOf = (refusals: Refusal[]) =>
  new Set(refusals.flatMap(({ action }) => action.entries));

const explains = ({ outcomes, markers, sharedRejection }: Finding) =>
  outcomes !== undefined || markers !== undefined || sharedRejection !== undefined;

function readRefusal(
  schema: TableSchema,
  { action, code, message, item }: Refusal,
  unjudged: Entry[],
  nowMs: number,
): Finding {
  if (isTransientCode(code)) return {};
  if (code !== conditionFailed) return reject(action, `${code}: ${message}`);
  switch (action.kind) {
    case 'marker':
      return item ? readMarker(schema, action, item, nowMs) : {};
    case 'sheet':
      return item ? readSheet(schema, action, item, nowMs) : {};
    case 'update': {
      const requiring = [...action.requiring].filter((entry) => !unjudged.includes(entry));
      return failAll(requiring, new ItemMissingError(action.key));
    }
    case 'write': {
      const { tableName, key } = action;
      const judged = action.entries.filter((entry) => !unjudged.includes(entry));
      return failAll(judged, new ConditionFailedError(tableName, key, item && unmarshall(item)));
    }
  }
}

const failAll = (entries: Entry[], error: Error): Finding => ({
  outcomes: new Map(entries.map((entry) => [entry, error])),
});

function reject({ entries }: Action, message: string): Finding {
  const error = new CommitRejectedError(message);
  return entries.length === 1 ? failAll(entries, error) : { sharedRejection: error };
}

function readMarker(
  schema: TableSchema,
  { entries, marker }: PutMarker,
  item: Item,
  nowMs: number,
): Finding {
  const expirySeconds = Number(item[schema.expiryAttr]?.N);
  const inProgressUntilMs = readProgress(schema, item);
  if (expirySeconds < toSeconds(nowMs) || inProgressUntilMs < nowMs) {
    return { markers: new Map(entries.map((entry) => [entry, { ...marker, mayReplace: true }])) };
  }
  const payloadHash = item[schema.validationKeyAttr]?.S;
  const stored = item[schema.dataAttr];
  const duplicate: Duplicate = {
    kind: 'duplicate',
    payloadHash,
    expirySeconds,
    ...(inProgressUntilMs >= nowMs && { inProgressUntilMs }),
    ...(stored && { response: unmarshall({ stored }).stored }),
  };
  return { outcomes: new Map(entries.map((entry) => [entry, duplicate])) };
}

// Until when the function of a Powertools record may run, in epoch milliseconds; NaN if it runs no more.
// A Powertools record without such a time stays in progress until it expires.
function readProgress({ powertools }: TableSchema, item: Item): number {
  if (!powertools || item[powertools.statusAttr]?.S !== inProgress) return Number.NaN;
  return Number(item[powertools.inProgressExpiryAttr]?.N ?? Number.POSITIVE_INFINITY);
}

// A slot that is set blocks as long as its sheet exists. The others only have to let the sheet live as
// long as it is meant to already.
function readSheet(
  { expiryAttr }: TableSchema,
  { entries, slots, itemKey }: FillSheet,
  sheet: Item,
  nowMs: number,
): Finding {
  const expiry = sheet[expiryAttr];
  const expirySeconds = expiry ? Number(expiry.N) : 0;
  // A larger number loses digits in JavaScript, and then no comparison with it holds.
  const isReadable = expirySeconds <= Number.MAX_SAFE_INTEGER;
  const outcomes = new Map<Entry, Outcome>();
  const markers = new Map<Entry, Marker>();
  for (const [index, entry] of entries.entries()) {
    const slot = slots[index];
    const stored = slot && sheet[slot.attribute];
    if (stored) {
      const slotValue = stored.B ?? new Uint8Array();
      outcomes.set(entry, {
        kind: 'duplicate',
        payloadHash: hashOfSlot(slotValue, entry.payloadHash),
        slotValue,
        expirySeconds: Math.max(expirySeconds, toSeconds(nowMs) + 1),
      });
    } else if (slot && isReadable && slot.expirySeconds < expirySeconds) {
      markers.set(entry, { ...slot, expirySeconds });
    }
  }
  if (outcomes.size > 0 || markers.size > 0) return { outcomes, markers };
  if (isReadable) return {};
  const expected = `expected ${expiryAttr} of the sheet ${JSON.stringify(itemKey)} to be epoch seconds`;
  return failAll(entries, new CommitRejectedError(`${expected}; got ${JSON.stringify(expiry)}`));
}

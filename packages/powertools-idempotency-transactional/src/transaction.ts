import type { TransactWriteItem, Update } from '@aws-sdk/client-dynamodb';
import {
  type Entry,
  type Item,
  type ItemMarker,
  type ItemUpdate,
  type OwnWrite,
  type SlotMarker,
  toSeconds,
} from './entry.ts';

/** The status of a record of Powertools' own layer whose function has not returned. */
export const inProgress = 'INPROGRESS';

/** The table, and the names of its attributes that the layer writes and reads. */
export interface TableSchema {
  tableName: string;
  /** The partition key, which must not be a reserved word. */
  keyAttribute: string;
  /** Holds a marker's or a sheet's expiry, in epoch seconds. */
  expiryAttr: string;
  /** Holds the hash of a marker's payload. */
  validationKeyAttr: string;
  /** Holds the response of a record that has one. */
  dataAttr: string;
  /** Markers are records of Powertools' own layer, too. */
  powertools?: PowertoolsSchema;
}

/** Attributes that only records of Powertools' own layer have. */
export interface PowertoolsSchema {
  statusAttr: string;
  /** Epoch milliseconds. */
  inProgressExpiryAttr: string;
}

/** One TransactWriteItems request, and what each of its actions is about. */
export interface Transaction {
  schema: TableSchema;
  entries: Entry[];
  /** In the order of the request, in which markers and sheets come before updates. */
  actions: Action[];
  items: TransactWriteItem[];
}

/** One action of a transaction. If it fails, its entries do. */
export type Action = PutMarker | FillSheet | SharedUpdate | OwnAction;

/** Whether an action writes a marker, or a sheet of them. */
export function isMarker(action: Action): action is PutMarker | FillSheet {
  return action.kind === 'marker' || action.kind === 'sheet';
}

export interface PutMarker {
  kind: 'marker';
  entries: Entry[];
  itemKey: Item;
  marker: ItemMarker;
}

export interface FillSheet {
  kind: 'sheet';
  entries: Entry[];
  itemKey: Item;
  /** One for each entry, in their order. */
  slots: SlotMarker[];
}

/** The increments of all entries of a transaction on one item. */
interface SharedUpdate extends ItemUpdate {
  kind: 'update';
  entries: Entry[];
  /** Those entries for which the item must exist. */
  requiring: Set<Entry>;
}

/** A write of one entry alone. */
interface OwnAction extends OwnWrite {
  kind: 'write';
  entries: Entry[];
}

/**
 * Builds one transaction: the entries' markers, one update for each incremented item, and the
 * entries' own writes.
 */
export function buildTransaction(
  schema: TableSchema,
  entries: Entry[],
  nowMs: number,
): Transaction {
  const { tableName: TableName } = schema;
  const actions = [...markEntries(entries), ...shareUpdates(entries), ...ownActions(entries)];
  const items = actions.map((action): TransactWriteItem => {
    if (action.kind === 'marker') {
      return { Put: { TableName, ...putMarker(schema, action.marker, nowMs) } };
    }
    if (action.kind === 'write') return action.action;
    const update = action.kind === 'sheet' ? fillSheet(schema, action) : updateItem(action);
    const updated = (action.kind === 'update' && action.tableName) || TableName;
    return { Update: { TableName: updated, ...update } };
  });
  return { schema, entries, actions, items };
}

function markEntries(entries: Entry[]): (PutMarker | FillSheet)[] {
  const markers: PutMarker[] = [];
  const sheets = new Map<string, FillSheet>();
  for (const entry of entries) {
    const { marker } = entry;
    if (marker.kind === 'item') {
      markers.push({ kind: 'marker', entries: [entry], itemKey: marker.itemKey, marker });
      continue;
    }
    const sheet = sheets.get(marker.sheetId);
    if (sheet) {
      sheet.entries.push(entry);
      sheet.slots.push(marker);
    } else {
      sheets.set(marker.sheetId, {
        kind: 'sheet',
        entries: [entry],
        itemKey: marker.itemKey,
        slots: [marker],
      });
    }
  }
  return [...markers, ...sheets.values()];
}

function shareUpdates(entries: Entry[]): Iterable<SharedUpdate> {
  const shared = new Map<string, SharedUpdate>();
  for (const entry of entries) {
    for (const own of entry.updates) {
      let update = shared.get(own.id);
      if (!update) {
        update = { kind: 'update', ...own, increments: [], entries: [], requiring: new Set() };
        shared.set(own.id, update);
      }
      update.entries.push(entry);
      for (const increment of own.increments) {
        update.increments.push(increment);
        if (increment.mustExist) update.requiring.add(entry);
      }
    }
  }
  return shared.values();
}

function ownActions(entries: Entry[]): OwnAction[] {
  return entries.flatMap((entry) =>
    entry.writes.map((write): OwnAction => ({ kind: 'write', entries: [entry], ...write })),
  );
}

// The condition is kept short because every marker carries it. An expired marker in the way is rare;
// its entry is sent again with the longer condition.
function putMarker(schema: TableSchema, { item, mayReplace }: ItemMarker, nowMs: number) {
  return {
    Item: item,
    ...(mayReplace ? isReplaceable(schema, nowMs) : { ConditionExpression: isFree(schema) }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

const isFree = ({ keyAttribute }: TableSchema) => `attribute_not_exists(${keyAttribute})`;

function isReplaceable(schema: TableSchema, nowMs: number) {
  const { expiryAttr, powertools } = schema;
  const expired = {
    ConditionExpression: `${isFree(schema)} OR #ttl < :now`,
    ExpressionAttributeNames: { '#ttl': expiryAttr },
    ExpressionAttributeValues: { ':now': { N: String(toSeconds(nowMs)) } },
  };
  if (!powertools) return expired;
  // As in Powertools' own layer, the next one may go on where an invocation ended midway.
  return {
    ConditionExpression: `${expired.ConditionExpression} OR (#status = :midway AND #end < :nowMs)`,
    ExpressionAttributeNames: {
      ...expired.ExpressionAttributeNames,
      '#status': powertools.statusAttr,
      '#end': powertools.inProgressExpiryAttr,
    },
    ExpressionAttributeValues: {
      ...expired.ExpressionAttributeValues,
      ':midway': { S: inProgress },
      ':nowMs': { N: String(nowMs) },
    },
  };
}

// All slots of a sheet make a condition of 3.8 KB and 259 operators; DynamoDB takes 4 KB and 300.
function fillSheet(
  { expiryAttr }: TableSchema,
  { itemKey, slots }: FillSheet,
): Omit<Update, 'TableName'> {
  const expirySeconds = Math.max(...slots.map((slot) => slot.expirySeconds));
  const settings = slots.map(({ attribute }) => `${attribute} = :${attribute}`);
  const areFree = slots.map(({ attribute }) => `attribute_not_exists(${attribute})`);
  const values = slots.map(({ attribute, value }) => [`:${attribute}`, { B: value }]);
  return {
    Key: itemKey,
    UpdateExpression: `SET ${settings.join(', ')}, #ttl = :ttl`,
    // An invocation that was late must not shorten the lives of markers that others set since.
    ConditionExpression: `${areFree.join(' AND ')} AND (attribute_not_exists(#ttl) OR #ttl <= :ttl)`,
    ExpressionAttributeNames: { '#ttl': expiryAttr },
    ExpressionAttributeValues: {
      ...Object.fromEntries(values),
      ':ttl': { N: String(expirySeconds) },
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

function updateItem({ key, itemKey, increments, requiring }: SharedUpdate) {
  const sums = new Map<string, number>();
  for (const { attribute, by } of increments) sums.set(attribute, (sums.get(attribute) ?? 0) + by);
  const names: Record<string, string> = {};
  const values: Record<string, { N: string }> = {};
  const additions: string[] = [];
  for (const [attribute, sum] of sums) {
    const index = additions.length;
    names[`#${index}`] = attribute;
    values[`:${index}`] = { N: String(sum) };
    additions.push(`#${index} :${index}`);
  }
  return {
    Key: itemKey,
    UpdateExpression: `ADD ${additions.join(', ')}`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ...(requiring.size > 0 && {
      ConditionExpression: `attribute_exists(${Object.keys(key)[0]})`,
    }),
  };
}

import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Entry, expiryAttribute, type Increment, itemId } from './entry.ts';

/** The table, and its partition key's name. */
export interface TableSchema {
  tableName: string;
  keyAttribute: string;
}

/** One TransactWriteItems call, and which entries stand behind each of its positions. */
export interface Transaction {
  entries: Entry[];
  items: TransactWriteItem[];
  /** By position: a marker stands for one entry, an increment for all that share its item. */
  positions: Position[];
}

export interface Position {
  entries: Entry[];
  /** The item's, where the position is an update; a marker's has none. */
  key?: Record<string, string>;
}

/** Builds one transaction: a marker for each entry, one update for each item they increment. */
export function buildTransaction(
  { tableName, keyAttribute }: TableSchema,
  entries: Entry[],
  nowMs: number,
): Transaction {
  const updates = coalesceIncrements(entries);
  return {
    entries,
    items: [
      ...entries.map((entry) => putMarker(tableName, keyAttribute, entry, nowMs)),
      ...updates.map((update) => updateItem(tableName, update)),
    ],
    positions: [
      ...entries.map((entry) => ({ entries: [entry] })),
      ...updates.map(({ entries, key }) => ({ entries, key })),
    ],
  };
}

interface ItemUpdate {
  key: Record<string, string>;
  mustExist: boolean;
  amounts: Map<string, number>;
  entries: Entry[];
}

// DynamoDB allows one operation on an item in a transaction, so increments of one item are summed.
function coalesceIncrements(entries: Entry[]): ItemUpdate[] {
  const updates = new Map<string, ItemUpdate>();
  for (const entry of entries) {
    for (const increment of entry.increments) addIncrement(updates, entry, increment);
  }
  return [...updates.values()];
}

function addIncrement(updates: Map<string, ItemUpdate>, entry: Entry, increment: Increment): void {
  const { key, attribute, by, mustExist = false } = increment;
  const id = itemId(key);
  let update = updates.get(id);
  if (!update) {
    update = { key, mustExist: false, amounts: new Map(), entries: [] };
    updates.set(id, update);
  }
  update.mustExist ||= mustExist;
  update.amounts.set(attribute, (update.amounts.get(attribute) ?? 0) + by);
  if (update.entries.at(-1) !== entry) update.entries.push(entry);
}

// An expired marker that TTL has not deleted yet must not block.
function putMarker(
  tableName: string,
  keyAttribute: string,
  entry: Entry,
  nowMs: number,
): TransactWriteItem {
  return {
    Put: {
      TableName: tableName,
      Item: entry.marker,
      ConditionExpression: 'attribute_not_exists(#key) OR #expiry < :now',
      ExpressionAttributeNames: { '#key': keyAttribute, '#expiry': expiryAttribute },
      ExpressionAttributeValues: { ':now': { N: String(Math.floor(nowMs / 1000)) } },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

function updateItem(tableName: string, { key, mustExist, amounts }: ItemUpdate): TransactWriteItem {
  const attributes = [...amounts.keys()];
  const names = Object.fromEntries(attributes.map((name, index) => [`#${index}`, name]));
  const values = Object.fromEntries(
    [...amounts.values()].map((by, index) => [`:${index}`, { N: String(by) }]),
  );
  return {
    Update: {
      TableName: tableName,
      Key: Object.fromEntries(Object.entries(key).map(([name, value]) => [name, { S: value }])),
      UpdateExpression: `ADD ${attributes.map((_, index) => `#${index} :${index}`).join(', ')}`,
      ExpressionAttributeNames: mustExist ? { ...names, '#key': Object.keys(key)[0] ?? '' } : names,
      ExpressionAttributeValues: values,
      ...(mustExist && { ConditionExpression: 'attribute_exists(#key)' }),
    },
  };
}

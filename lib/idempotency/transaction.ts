import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { addUpdate, type Entry, expiryAttribute, type ItemUpdate } from './entry.ts';

/** The table, and its partition key's name. */
export interface TableSchema {
  tableName: string;
  keyAttribute: string;
}

/** One TransactWriteItems call, and which entries stand behind each of its positions. */
export interface Transaction {
  entries: Entry[];
  items: TransactWriteItem[];
  /** By position: a marker stands for one entry, an update for all that share its item. */
  positions: Position[];
}

export interface Position {
  entries: Entry[];
  /** The item's, where the position is an update; a marker's has none. */
  key?: Record<string, string>;
}

interface SharedUpdate extends ItemUpdate {
  entries: Entry[];
}

/** Builds one transaction: a marker for each entry, one update for each item that they change. */
export function buildTransaction(
  { tableName, keyAttribute }: TableSchema,
  entries: Entry[],
  nowMs: number,
): Transaction {
  const updates = shareUpdates(entries);
  return {
    entries,
    items: [
      ...entries.map((entry) => putMarker(tableName, keyAttribute, entry, nowMs)),
      ...updates.map((update) => updateItem(tableName, update)),
    ],
    positions: [...entries.map((entry) => ({ entries: [entry] })), ...updates],
  };
}

function shareUpdates(entries: Entry[]): SharedUpdate[] {
  const updates = new Map<string, SharedUpdate>();
  for (const entry of entries) {
    for (const update of entry.updates) {
      const own = { ...update, amounts: new Map(update.amounts), entries: [] };
      addUpdate(updates, own).entries.push(entry);
    }
  }
  return [...updates.values()];
}

// An expired marker that TTL has not deleted yet must not block.
function putMarker(
  tableName: string,
  keyAttribute: string,
  { marker }: Entry,
  nowMs: number,
): TransactWriteItem {
  return {
    Put: {
      TableName: tableName,
      Item: marker,
      ConditionExpression: 'attribute_not_exists(#key) OR #expiry < :now',
      ExpressionAttributeNames: { '#key': keyAttribute, '#expiry': expiryAttribute },
      ExpressionAttributeValues: { ':now': { N: String(Math.floor(nowMs / 1000)) } },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

function updateItem(tableName: string, { key, mustExist, amounts }: ItemUpdate): TransactWriteItem {
  const names: Record<string, string> = {};
  const values: Record<string, { N: string }> = {};
  const additions: string[] = [];
  for (const [attribute, by] of amounts) {
    const index = additions.length;
    names[`#${index}`] = attribute;
    values[`:${index}`] = { N: String(by) };
    additions.push(`#${index} :${index}`);
  }
  const [keyName = ''] = Object.keys(key);
  if (mustExist) names['#key'] = keyName;
  return {
    Update: {
      TableName: tableName,
      Key: Object.fromEntries(Object.entries(key).map(([name, value]) => [name, { S: value }])),
      UpdateExpression: `ADD ${additions.join(', ')}`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ...(mustExist && { ConditionExpression: 'attribute_exists(#key)' }),
    },
  };
}

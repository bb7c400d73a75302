import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Entry, expiryAttribute, type ItemUpdate, toSeconds } from './entry.ts';

/** The table and the name of its partition key, which must not be a reserved word. */
export interface TableSchema {
  tableName: string;
  keyAttribute: string;
}

/** One TransactWriteItems request, and the meaning of its positions. */
export interface Transaction {
  /** Their markers come first in the request, in this order. */
  entries: Entry[];
  /** These come after the markers, in this order. */
  updates: SharedUpdate[];
  items: TransactWriteItem[];
}

/** The increments of all entries of a transaction on one item. */
export interface SharedUpdate extends ItemUpdate {
  entries: Entry[];
  /** Those entries for which the item must exist. */
  requiring: Set<Entry>;
}

/** Builds one transaction: a marker for each entry, then one update for each incremented item. */
export function buildTransaction(
  { tableName, keyAttribute }: TableSchema,
  entries: Entry[],
  nowMs: number,
): Transaction {
  const updates = shareUpdates(entries);
  const items = entries.map((entry) => putMarker(tableName, keyAttribute, entry, nowMs));
  for (const update of updates) items.push(updateItem(tableName, update));
  return { entries, updates, items };
}

function shareUpdates(entries: Entry[]): SharedUpdate[] {
  const shared = new Map<string, SharedUpdate>();
  for (const entry of entries) {
    for (const own of entry.updates) {
      let update = shared.get(own.id);
      if (!update) {
        update = { ...own, increments: [], entries: [], requiring: new Set() };
        shared.set(own.id, update);
      }
      update.entries.push(entry);
      for (const increment of own.increments) {
        update.increments.push(increment);
        if (increment.mustExist) update.requiring.add(entry);
      }
    }
  }
  return [...shared.values()];
}

// The condition is kept short because every marker carries it. An expired marker in the way is rare;
// its entry is sent again with the longer condition.
function putMarker(
  tableName: string,
  keyAttribute: string,
  { marker, mayReplace }: Entry,
  nowMs: number,
): TransactWriteItem {
  return {
    Put: {
      TableName: tableName,
      Item: marker,
      ConditionExpression: `attribute_not_exists(${keyAttribute})`,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ...(mayReplace && {
        ConditionExpression: `attribute_not_exists(${keyAttribute}) OR #expiry < :now`,
        ExpressionAttributeNames: { '#expiry': expiryAttribute },
        ExpressionAttributeValues: { ':now': { N: String(toSeconds(nowMs)) } },
      }),
    },
  };
}

function updateItem(
  tableName: string,
  { key, itemKey, increments, requiring }: SharedUpdate,
): TransactWriteItem {
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
    Update: {
      TableName: tableName,
      Key: itemKey,
      UpdateExpression: `ADD ${additions.join(', ')}`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ...(requiring.size > 0 && {
        ConditionExpression: `attribute_exists(${Object.keys(key)[0]})`,
      }),
    },
  };
}

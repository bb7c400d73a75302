import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** Attributes of the marker that the layer itself reads; Powertools' own names for a record's. */
export const expiryAttribute = 'ttl';
export const validationAttribute = 'validation';

/** A DynamoDB item as the low-level client takes and gives it. */
export type Item = Record<string, AttributeValue>;

/** A number to add to one attribute of one item. */
export interface Increment {
  /** The item's primary key; all its attributes are strings. */
  key: Record<string, string>;
  attribute: string;
  by: number;
  /** The increment must not create the item: where it does not exist, the record fails. */
  mustExist?: boolean;
}

/** All that one payload must cause, once. */
export interface Effects {
  /** Kept on the marker for people and tools; the layer itself never reads it. */
  marker: Record<string, string | number>;
  increments: Increment[];
}

/** What an entry, or several together, add to one item. */
export interface ItemUpdate {
  /** Equal for updates of the same item. */
  id: string;
  key: Record<string, string>;
  mustExist: boolean;
  /** The sum to add, by attribute. */
  amounts: Map<string, number>;
}

/** One record that waits for its commit. */
export interface Entry {
  idempotencyKey: string;
  payloadHash: string;
  /** The whole item that marks the record as done. */
  marker: Item;
  /** One for each item that the record changes. */
  updates: ItemUpdate[];
  /** Epoch milliseconds; the commit is given up then. */
  deadlineMs: number;
}

/** What became of an entry; an Error says why it could not be committed. */
export type Outcome = Committed | Duplicate | Error;

export interface Committed {
  kind: 'committed';
}

export interface Duplicate {
  kind: 'duplicate';
  /** The marker that was there first, where DynamoDB returned it. */
  marker?: Item | undefined;
}

/** Sums increments by item, since DynamoDB allows one operation on an item in a transaction. */
export function sumByItem(increments: Increment[]): ItemUpdate[] {
  const updates = new Map<string, ItemUpdate>();
  for (const { key, attribute, by, mustExist = false } of increments) {
    const id = JSON.stringify(Object.values(key));
    addUpdate(updates, { id, key, mustExist, amounts: new Map([[attribute, by]]) });
  }
  return [...updates.values()];
}

/** Adds an update to what is there for its item; gives the sum. */
export function addUpdate<T extends ItemUpdate>(updates: Map<string, T>, update: T): T {
  const sum = updates.get(update.id);
  if (!sum) {
    updates.set(update.id, update);
    return update;
  }
  sum.mustExist ||= update.mustExist;
  for (const [attribute, by] of update.amounts) {
    sum.amounts.set(attribute, (sum.amounts.get(attribute) ?? 0) + by);
  }
  return sum;
}

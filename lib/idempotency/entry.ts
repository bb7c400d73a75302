import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** Attributes of the marker that the layer itself reads; Powertools' own names for a record's. */
export const expiryAttribute = 'ttl';
export const validationAttribute = 'validation';

/**
 * Epoch seconds for comparison with a marker's expiry: rounded up, so that what Powertools takes
 * for expired, at any millisecond, is expired here too.
 */
export const toSeconds = (epochMs: number) => Math.ceil(epochMs / 1000);

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

/** What an entry adds to one item. */
export interface ItemUpdate {
  /** Equal for updates of the same item. */
  id: string;
  key: Record<string, string>;
  itemKey: Item;
  increments: Increment[];
}

/** One record that waits for its commit. */
export interface Entry {
  idempotencyKey: string;
  payloadHash: string;
  /** The whole item that marks the record as done. */
  marker: Item;
  /** One for each item that the record changes. */
  updates: ItemUpdate[];
  /** An expired marker of its key was found, which TTL has not deleted yet. */
  mayReplace?: boolean;
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

/**
 * Groups increments by item, since a transaction takes one operation on each.
 *
 * @throws {TypeError} for a key that is no text or number.
 */
export function groupByItem(increments: Increment[]): ItemUpdate[] {
  const updates: ItemUpdate[] = [];
  for (const increment of increments) {
    const { key } = increment;
    const id = JSON.stringify(Object.entries(key).sort());
    const update = updates.find((other) => other.id === id);
    if (update) update.increments.push(increment);
    else updates.push({ id, key, itemKey: toItem(key), increments: [increment] });
  }
  return updates;
}

/**
 * Text and numbers as the low-level client takes them.
 *
 * @throws {TypeError} for anything else.
 */
export function toItem(attributes: Record<string, string | number>): Item {
  const item: Item = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') item[name] = { S: value };
    else if (Number.isFinite(value)) item[name] = { N: String(value) };
    else throw new TypeError(`expected ${name} to be text or a number; got ${value}`);
  }
  return item;
}

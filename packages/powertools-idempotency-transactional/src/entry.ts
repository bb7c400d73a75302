import type { JSONValue } from '@aws-lambda-powertools/commons/types';
import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { NativeAttributeValue } from '@aws-sdk/util-dynamodb';

/** TransactWriteItems takes at most 100 actions. */
export const maxItems = 100;

/** Epoch seconds, rounded up: a marker that has expired for Powertools has expired here too. */
export const toSeconds = (epochMs: number) => Math.ceil(epochMs / 1000);

/** A DynamoDB item as the low-level client takes and returns it. */
export type Item = Record<string, AttributeValue>;

/** A number to add to one attribute of one item. */
export interface Increment {
  /** The layer's own table by default. */
  tableName?: string;
  /** The item's primary key; all its attributes are strings. */
  key: Record<string, string>;
  attribute: string;
  by: number;
  /** The increment must not create the item: if it does not exist, the record fails. */
  mustExist?: boolean;
}

/** An item with JavaScript's own values. */
export type NativeItem = Record<string, NativeAttributeValue>;

/** What all actions of a {@link Write} have. */
export interface WriteOptions {
  /** The layer's own table by default. */
  TableName?: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: NativeItem;
}

/** One action of DynamoDB's TransactWriteItems, with JavaScript's own values. */
export type Write =
  | { Put: WriteOptions & { Item: NativeItem } }
  | { Update: WriteOptions & { Key: NativeItem; UpdateExpression: string } }
  | { Delete: WriteOptions & { Key: NativeItem } }
  | { ConditionCheck: WriteOptions & { Key: NativeItem; ConditionExpression: string } };

/** A write of one entry alone: no other entry of the same transaction may touch its item. */
export interface OwnWrite {
  /** Equal for writes and increments of the same item of the same table. */
  id: string;
  tableName: string;
  key: NativeItem;
  action: TransactWriteItem;
  bytes: number;
}

/** Everything that one payload must cause, exactly once: writes to at most 99 items, and 4 MB. */
export interface Effects {
  /** Increments of one item by many records share a write. */
  increments?: Increment[];
  /**
   * Other writes, on items that nothing else of this record writes to. Records whose writes meet at
   * an item are committed one after another, in the order of their arrival in the batch.
   */
  writes?: Write[];
  /**
   * Stored with the marker; a duplicate gets it back, as Powertools' users expect. What the wrapped
   * function returns goes to the first delivery only, so it returns `responseOf` the same payload.
   */
  response?: JSONValue;
}

/** The increments of one entry on one item. */
export interface ItemUpdate {
  /** Equal for updates of the same item. */
  id: string;
  /** Absent if it is the layer's own. */
  tableName?: string;
  key: Record<string, string>;
  itemKey: Item;
  increments: Increment[];
}

/** How the table shows that an entry is committed: by an item of its own, or by a slot of a sheet. */
export type Marker = ItemMarker | SlotMarker;

export interface ItemMarker {
  kind: 'item';
  /** The primary key. */
  itemKey: Item;
  /** The complete item, the key included. */
  item: Item;
  /** An expired marker of this key exists, which TTL has not deleted yet. */
  mayReplace?: boolean;
}

export interface SlotMarker {
  kind: 'slot';
  /** Equal for slots of the same sheet. */
  sheetId: string;
  /** The sheet's primary key. */
  itemKey: Item;
  attribute: string;
  value: Uint8Array;
  /** Epoch seconds; the sheet must not expire earlier. */
  expirySeconds: number;
}

/** One record to commit. */
export interface Entry {
  idempotencyKey: string;
  payloadHash: string;
  marker: Marker;
  /** One for each item that the record increments. */
  updates: ItemUpdate[];
  writes: OwnWrite[];
  /** Stored with the marker, which has it already. */
  response?: JSONValue;
  /** Epoch milliseconds; nothing is sent after that. */
  deadlineMs: number;
}

/** The result of one entry; an Error says why it was not committed. */
export type Outcome = Committed | Duplicate | Error;

export interface Committed {
  kind: 'committed';
}

/** The key was committed before. */
export interface Duplicate {
  kind: 'duplicate';
  /** The hash of the payload that was committed, or as much of it as is stored. */
  payloadHash: string | undefined;
  /** It is a Powertools record whose function may still run, until then: epoch milliseconds. */
  inProgressUntilMs?: number;
  /** What was stored with the marker. */
  response?: JSONValue;
  /** What the slot holds that stood in the way; another payload of this key may be its own. */
  slotValue?: Uint8Array;
  /** Epoch seconds until which it stays a duplicate; by default, as long as a new record. */
  expirySeconds?: number;
}

/**
 * Groups increments by item, because a transaction takes only one operation on each item.
 *
 * @throws {TypeError} for a key that is not a string or a number.
 */
export function groupByItem(increments: Increment[], ownTable?: string): ItemUpdate[] {
  const updates: ItemUpdate[] = [];
  for (const increment of increments) {
    const { key } = increment;
    const tableName = increment.tableName === ownTable ? undefined : increment.tableName;
    // Increments of one item often share its key, and ids take time.
    const last = updates.at(-1);
    if (last && last.key === key && last.tableName === tableName) {
      last.increments.push(increment);
      continue;
    }
    const id = toItemId(key, tableName);
    const update = updates.find((other) => other.id === id);
    if (update) update.increments.push(increment);
    else updates.push({ id, tableName, key, itemKey: toItem(key), increments: [increment] });
  }
  return updates;
}

/**
 * The same for equal keys of one table, and for no others: each part is preceded by its length. No
 * name of a table has a slash.
 */
export function toItemId(key: NativeItem, tableName?: string): string {
  let id = tableName === undefined ? '' : `${tableName}/`;
  for (const name of Object.keys(key).sort()) {
    const value = String(key[name]);
    id += `${name.length}:${name}${value.length}:${value}`;
  }
  return id;
}

/**
 * Strings and numbers as the low-level client takes them.
 *
 * @throws {TypeError} for anything else.
 */
export function toItem(attributes: Record<string, string | number>): Item {
  const item: Item = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') item[name] = { S: value };
    else if (Number.isFinite(value)) item[name] = { N: String(value) };
    else throw new TypeError(`expected ${name} to be a string or a number; got ${value}`);
  }
  return item;
}

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

/** One record that waits for its commit. */
export interface Entry {
  idempotencyKey: string;
  payloadHash: string;
  /** The whole item that marks the record as done. */
  marker: Item;
  increments: Increment[];
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

/** Tells items apart: equal for two increments that change the same item. */
export function itemId(key: Record<string, string>): string {
  return JSON.stringify(Object.values(key));
}

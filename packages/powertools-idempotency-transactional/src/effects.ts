import type { JSONValue } from '@aws-lambda-powertools/commons/types';
import type { NativeAttributeValue } from '@aws-sdk/util-dynamodb';

/** Everything that one payload must write, exactly once: at most 99 items and 4 MB. */
export interface Effects {
  /** Increments of one item by several payloads share a write. */
  increments?: Increment[];
  /**
   * Other writes, each to an item that nothing else of this payload writes to. Payloads that write to
   * the same item are committed one after another, in the order of their arrival in the batch.
   */
  writes?: Write[];
  /**
   * Stored with the marker and returned to duplicates. The first delivery gets what the wrapped
   * function returns, so let it return `responseOf` the payload.
   */
  response?: JSONValue;
}

/** A number to add to one attribute of one item. */
export interface Increment {
  /** Defaults to the layer's own table. */
  tableName?: string;
  /** The item's primary key. Its attributes are strings. */
  key: Record<string, string>;
  attribute: string;
  by: number;
  /** Fails the payload with an `ItemMissingError` instead of creating the item. */
  mustExist?: boolean;
}

/** One action of DynamoDB's TransactWriteItems, with native JavaScript values. */
export type Write =
  | { Put: WriteOptions & { Item: NativeItem } }
  | { Update: WriteOptions & { Key: NativeItem; UpdateExpression: string } }
  | { Delete: WriteOptions & { Key: NativeItem } }
  | { ConditionCheck: WriteOptions & { Key: NativeItem; ConditionExpression: string } };

/** The fields that every {@link Write} can have. */
export interface WriteOptions {
  /** Defaults to the layer's own table. */
  TableName?: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: NativeItem;
}

/** A DynamoDB item with native JavaScript values. */
export type NativeItem = Record<string, NativeAttributeValue>;

import type { IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence';
import type { NativeAttributeValue } from '@aws-sdk/util-dynamodb';

/**
 * Everything that one payload must write, exactly once: at most 99 items and 4 MB. A payload that writes
 * nothing has an empty list.
 *
 * @example
 * ```ts
 * import type { Effects } from 'powertools-idempotency-transactional';
 *
 * export const effectsOf = ({ id, cents }: { id: string; cents: number }): Effects => ({
 *   increments: [{ key: { PK: 'SHOP', SK: 'TOTAL' }, attribute: 'cents', by: cents }],
 *   writes: [{ Put: { Item: { PK: `ORDER#${id}`, SK: 'ORDER', cents } } }],
 * });
 * ```
 */
export interface Effects {
  /** Increments of one item by several payloads share a write. */
  increments?: readonly Increment[] | undefined;
  /**
   * Other writes, each to an item that nothing else of this payload writes to. Payloads that write to
   * the same item are committed one after another, in the order of their arrival. Equal checks of
   * several payloads share one.
   */
  writes?: readonly Write[] | undefined;
  /**
   * A value in JSON. It's stored with the marker and returned to duplicates, which get null if there is
   * none. The first delivery gets what the wrapped function returns, so let it return `responseOf` the
   * payload.
   */
  response?: JSONValue | object | undefined;
}

/**
 * A number to add to one attribute of one item.
 *
 * @example
 * ```ts
 * import type { Increment } from 'powertools-idempotency-transactional';
 *
 * export const addOrder = (customer: string): Increment => ({
 *   key: { PK: customer, SK: 'TOTAL' },
 *   attribute: 'orders',
 *   by: 1,
 *   mustExist: true,
 * });
 * ```
 */
export interface Increment {
  /** Defaults to the layer's own table. */
  tableName?: string | undefined;
  /** The item's primary key. */
  key: Readonly<Record<string, string | number | bigint | Uint8Array>>;
  /** The attribute to add to. It counts as 0 if the item doesn't have it. */
  attribute: string;
  /**
   * The number to add; negative to subtract. Numbers are added as DynamoDB adds them, in decimal
   * digits, however payloads share transactions. A bigint has up to 38 digits.
   */
  by: number | bigint;
  /** Fails the payload with an `ItemMissingError` instead of creating the item. */
  mustExist?: boolean | undefined;
  /**
   * What strings the item's attributes may be, by their names, if it has them. Otherwise, the payload
   * fails with a {@link ConditionFailedError}, and the others that share the write don't.
   */
  bounds?:
    | Readonly<
        Record<
          string,
          {
            /** The least of these strings, by their UTF-8 bytes. */
            atLeast?: string | undefined;
            /** The greatest of these strings. */
            atMost?: string | undefined;
          }
        >
      >
    | undefined;
}

/**
 * Exactly one action of DynamoDB's TransactWriteItems, with its fields and native JavaScript values.
 *
 * @example
 * ```ts
 * import type { Write } from 'powertools-idempotency-transactional';
 *
 * export const requireOpenShop: Write = {
 *   ConditionCheck: {
 *     Key: { PK: 'SHOP', SK: 'STATE' },
 *     ConditionExpression: 'isOpen = :true',
 *     ExpressionAttributeValues: { ':true': true },
 *   },
 * };
 * ```
 */
export type Write =
  | Only<'Put', { Item: object }>
  | Only<'Update', { Key: NativeItem; UpdateExpression: string }>
  | Only<'Delete', { Key: NativeItem }>
  | Only<'ConditionCheck', { Key: NativeItem; ConditionExpression: string }>;

type Operation = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';
type Only<Name extends Operation, Fields> = { [name in Name]: WriteOptions & Fields } & {
  [other in Exclude<Operation, Name>]?: never;
};

/**
 * The fields that every {@link Write} can have.
 *
 * @example
 * ```ts
 * import type { WriteOptions } from 'powertools-idempotency-transactional';
 *
 * export const onlyOnce: WriteOptions = { ConditionExpression: 'attribute_not_exists(PK)' };
 * ```
 */
export interface WriteOptions {
  /** Defaults to the layer's own table. */
  TableName?: string | undefined;
  /** If it fails, the payload fails with a {@link ConditionFailedError} and writes nothing. */
  ConditionExpression?: string | undefined;
  /** The names for `#placeholders` in the expressions. */
  ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  /** The values for `:placeholders` in the expressions. */
  ExpressionAttributeValues?: NativeItem | undefined;
}

/**
 * A DynamoDB item with native JavaScript values, as the AWS SDK's `marshall` takes them.
 *
 * @example
 * ```ts
 * import type { NativeItem } from 'powertools-idempotency-transactional';
 *
 * export const shop: NativeItem = { PK: 'SHOP', SK: 'STATE', isOpen: true, tags: new Set(['new']) };
 * ```
 */
export type NativeItem = Record<string, NativeAttributeValue>;

/** Powertools' type for a value in JSON. */
export type JSONValue = ReturnType<IdempotencyRecord['getResponse']>;

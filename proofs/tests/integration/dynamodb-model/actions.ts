import { type DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  type PutCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../../../../tests/helpers/items.ts';

type Items = NonNullable<TransactWriteCommandInput['TransactItems']>;
type Put = Omit<PutCommandInput, 'TableName' | 'Item'>;
type Update = Omit<UpdateCommandInput, 'TableName' | 'Key'>;

export const farFuture = 2_000_000_000;

export type Actions = ReturnType<typeof createActions>;

/** The result of a request, or its error: the reasons of a cancellation, or the error's name. */
async function tell<Output, Told>(sent: Promise<Output>, read: (output: Output) => Told) {
  try {
    return read(await sent);
  } catch (error) {
    if (error instanceof TransactionCanceledException) {
      return error.CancellationReasons?.map(({ Code, Item }) =>
        Item ? [Code, unmarshall(Item).ttl] : Code,
      );
    }
    return (error as Error).name;
  }
}

/** A case's actions on a table. Its partition keys start with its own prefix. */
export function createActions(client: DynamoDBClient, TableName: string, prefix: string) {
  const documents = DynamoDBDocumentClient.from(client);
  const ReturnConsumedCapacity = 'TOTAL';
  const keyOf = (name: string) => ({ PK: `${prefix}#${name}`, SK: 'X' });

  const send = (TransactItems: Items, token?: string) =>
    documents.send(
      new TransactWriteCommand({
        ...{ TransactItems, ReturnConsumedCapacity },
        ClientRequestToken: token && `${prefix}-${token}`,
      }),
    );
  const update = (name: string, changes: Update = {}) => ({
    Update: {
      ...{ TableName, Key: keyOf(name), UpdateExpression: 'ADD clicks :one' },
      ExpressionAttributeValues: { ':one': 1 },
      ...changes,
    },
  });

  return {
    keyOf,

    read: async (name: string): Promise<Item | undefined> => {
      const Key = keyOf(name);
      const { Item } = await documents.send(
        new GetCommand({ TableName, Key, ConsistentRead: true }),
      );
      return Item;
    },

    /** The names of the existing items among these, and the unprocessed keys. */
    readMany: (names: string[]) => {
      const request = { Keys: names.map(keyOf), ConsistentRead: true };
      const command = new BatchGetCommand({ RequestItems: { [TableName]: request } });
      return tell(documents.send(command), ({ Responses = {}, UnprocessedKeys }) => [
        (Responses[TableName] ?? []).map(({ PK }) => PK.slice(prefix.length + 1)).toSorted(),
        UnprocessedKeys,
      ]);
    },

    put: (name: string, attributes: Item = {}) =>
      send([{ Put: { TableName, Item: { ...keyOf(name), ...attributes } } }]),

    /** In a transaction: a marker, which must not exist. */
    marker: (name: string, attributes: Item = {}, more: Put = {}) => ({
      Put: {
        ...{ TableName, Item: { ...keyOf(name), ttl: farFuture, ...attributes } },
        ConditionExpression: 'attribute_not_exists(PK)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
        ...more,
      },
    }),

    /** In a transaction: adds clicks to an item, which must exist. */
    clicks: (name: string, by: number) =>
      update(name, {
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeValues: { ':one': by },
      }),

    /** In a transaction: sets slots of a sheet, if they are free and its ttl doesn't move back. */
    slots: (name: string, slots: readonly string[], ttl: number) => {
      const bytes = slots.map((slot) => [`:${slot}`, Buffer.from(slot)]);
      return update(name, {
        UpdateExpression: `SET ${slots.map((slot) => `${slot} = :${slot}, `).join('')}#ttl = :ttl`,
        ConditionExpression: `${slots.map((slot) => `attribute_not_exists(${slot}) AND `).join('')}(attribute_not_exists(#ttl) OR #ttl <= :ttl)`,
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ...Object.fromEntries(bytes), ':ttl': ttl },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
    },

    update,

    /** A transaction's outcome: committed, or its reasons by position. */
    transact: (items: Items, token?: string) => tell(send(items, token), () => 'committed'),

    /** A transaction's reported units, by kind. */
    consume: async (items: Items, token?: string) => {
      const { ConsumedCapacity } = await send(items, token);
      return ConsumedCapacity?.map(({ TableName: _table, ...units }) => units);
    },
  };
}

import {
  BatchGetItemCommand,
  type DynamoDBClient,
  TransactGetItemsCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  type Update,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../../../../tests/helpers/items.ts';

/** A case's actions on sheets of markers. */
export function createSheetActions(client: DynamoDBClient, TableName: string, prefix: string) {
  const sheetKey = { PK: `${prefix}#sheet`, SK: 'CLICK' };

  /** Sets slots to the bytes of their names, if they are free and the ttl does not move back. */
  const setSlots = (slots: readonly string[], ttl: number): TransactWriteItem => ({
    Update: {
      TableName,
      Key: marshall(sheetKey),
      UpdateExpression: `SET ${slots.map((slot) => `${slot} = :${slot}, `).join('')}#ttl = :ttl`,
      ConditionExpression: `${slots.map((slot) => `attribute_not_exists(${slot}) AND `).join('')}(attribute_not_exists(#ttl) OR #ttl <= :ttl)`,
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: marshall({
        ...Object.fromEntries(slots.map((slot) => [`:${slot}`, Buffer.from(slot)])),
        ':ttl': ttl,
      }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  });

  /** Adds one to an attribute, but for these changes. */
  const updateSheet = (changes: Partial<Update> = {}): TransactWriteItem => ({
    Update: {
      TableName,
      Key: marshall(sheetKey),
      UpdateExpression: 'ADD a :one',
      ExpressionAttributeValues: marshall({ ':one': 1 }),
      ...changes,
    },
  });

  /** A transaction's reported units, by kind. */
  const consume = async (TransactItems: TransactWriteItem[], token?: string) => {
    const { ConsumedCapacity } = await client.send(
      new TransactWriteItemsCommand({
        TransactItems,
        ClientRequestToken: token && `${prefix}-${token}`,
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
    return ConsumedCapacity?.map(({ TableName: _table, ...units }) => units);
  };

  /** The items that a cancelled transaction returns. */
  const readRefused = async (TransactItems: TransactWriteItem[]): Promise<Item[]> => {
    const sent = client.send(new TransactWriteItemsCommand({ TransactItems }));
    const error = await sent.catch((thrown: unknown) => thrown);
    if (!(error instanceof TransactionCanceledException)) return [];
    return (error.CancellationReasons ?? []).flatMap(({ Item }) => (Item ? unmarshall(Item) : []));
  };

  /** The partition keys of the existing items, and the unprocessed keys, or the error's name. */
  const readMany = async (keys: Item[]) => {
    const Keys = keys.map((key) => marshall(key));
    const command = new BatchGetItemCommand({
      RequestItems: { [TableName]: { Keys, ConsistentRead: true } },
    });
    try {
      const { Responses = {}, UnprocessedKeys } = await client.send(command);
      const found = (Responses[TableName] ?? []).map(({ PK }) => PK?.S?.replace(prefix, ''));
      return [found.toSorted(), UnprocessedKeys];
    } catch (error) {
      return (error as Error).name;
    }
  };

  /** Each item's ttl, read in one transaction. Undefined for a missing item. */
  const readAtOnce = async (keys: Item[]) => {
    const TransactItems = keys.map((key) => ({ Get: { TableName, Key: marshall(key) } }));
    const { Responses = [] } = await client.send(new TransactGetItemsCommand({ TransactItems }));
    return Responses.map(({ Item }) => Item?.ttl?.N);
  };

  return { sheetKey, setSlots, updateSheet, consume, readMany, readAtOnce, readRefused };
}

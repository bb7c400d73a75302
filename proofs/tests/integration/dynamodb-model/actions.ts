import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../../../../tests/helpers/items.ts';
import { createSheetActions } from './sheet-actions.ts';
import { createSingleWriteActions } from './single-write-actions.ts';

export const farFuture = 2_000_000_000;

export type Actions = ReturnType<typeof createActions>;

/** A case's actions on a table. Its partition keys start with its own prefix. */
export function createActions(client: DynamoDBClient, TableName: string, prefix: string) {
  const sheet = createSheetActions(client, TableName, prefix);
  const markerKey = (id: string) => ({ PK: `${prefix}#${id}`, SK: 'CLICK' });
  const linkKey = { PK: `${prefix}#link`, SK: 'META' };

  const read = async (key: Item): Promise<Item | undefined> => {
    const Key = marshall(key);
    const { Item } = await client.send(
      new GetItemCommand({ TableName, Key, ConsistentRead: true }),
    );
    return Item && unmarshall(Item);
  };

  /** Stores an item. Returns the error's name if its condition fails. */
  const store = async (item: Item, ConditionExpression?: string): Promise<string> => {
    const Item = marshall(item);
    const put = client.send(new PutItemCommand({ TableName, Item, ConditionExpression }));
    return put.then(
      () => 'done',
      (error: Error) => error.name,
    );
  };

  const putMarker = (id: string, changes: Item = {}) => ({
    Put: {
      TableName,
      Item: marshall({ ...markerKey(id), ttl: farFuture, ...changes }),
      ConditionExpression: 'attribute_not_exists(PK)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    },
  });

  const replaceMarker = (id: string, nowSeconds: number): TransactWriteItem => ({
    Put: {
      ...putMarker(id).Put,
      ConditionExpression: 'attribute_not_exists(PK) OR #expiry < :now',
      ExpressionAttributeNames: { '#expiry': 'ttl' },
      ExpressionAttributeValues: marshall({ ':now': nowSeconds }),
    },
  });

  const addClicks = (by: number, key: Item = linkKey): TransactWriteItem => ({
    Update: {
      TableName,
      Key: marshall(key),
      UpdateExpression: 'ADD #0 :0',
      ConditionExpression: 'attribute_exists(PK)',
      ExpressionAttributeNames: { '#0': 'clicks' },
      ExpressionAttributeValues: marshall({ ':0': by }),
    },
  });

  /** A transaction's outcome: committed, its reasons by position, or another error's name. */
  const transact = async (TransactItems: TransactWriteItem[], token?: string) => {
    const ClientRequestToken = token && `${prefix}-${token}`;
    try {
      await client.send(new TransactWriteItemsCommand({ TransactItems, ClientRequestToken }));
      return 'committed';
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) return (error as Error).name;
      return error.CancellationReasons?.map(({ Code, Item }) =>
        Item ? [Code, unmarshall(Item).ttl] : Code,
      );
    }
  };

  /** The sort keys of the link's items in a range, inclusive. */
  const query = async (first: string, last: string) => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'PK = :link AND SK BETWEEN :first AND :last',
        ExpressionAttributeValues: marshall({
          ...{ ':link': linkKey.PK, ':first': first, ':last': last },
        }),
      }),
    );
    return Items.map(({ SK }) => SK?.S);
  };

  return {
    ...sheet,
    ...createSingleWriteActions(client, TableName, prefix),
    ...{ prefix, markerKey, linkKey, read, store, query },
    ...{ putMarker, replaceMarker, addClicks, transact },
    putLink: (attributes: Item = {}) => store({ ...linkKey, ...attributes }),
    readSheet: () => read(sheet.sheetKey),
    readClicks: async () => (await read(linkKey))?.clicks,
    readMarker: (id: string) => read(markerKey(id)),
    makeMarkers: (count: number) => Array.from({ length: count }, (_, i) => putMarker(`${i}`)),
  };
}

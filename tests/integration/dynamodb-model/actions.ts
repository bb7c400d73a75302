import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';

type Item = Record<string, AttributeValue>;

/** A table for one case; every case has partition keys of its own. */
export interface CaseTable {
  client: DynamoDBClient;
  tableName: string;
  /** Makes keys that no other case has. */
  prefix: string;
}

export const string = (text: string) => ({ S: text });
export const number = (value: number) => ({ N: String(value) });

export const markerKey = ({ prefix }: CaseTable, id: string) => ({
  PK: string(`${prefix}#${id}`),
  SK: string('CLICK'),
});
export const linkKey = ({ prefix }: CaseTable) => ({
  PK: string(`${prefix}#link`),
  SK: string('META'),
});

export function putMarker(table: CaseTable, id: string, returns: 'ALL_OLD' | 'NONE' = 'ALL_OLD') {
  return {
    Put: {
      TableName: table.tableName,
      Item: { ...markerKey(table, id), ttl: number(2_000_000_000) },
      ConditionExpression: 'attribute_not_exists(PK)',
      ReturnValuesOnConditionCheckFailure: returns,
    },
  } satisfies TransactWriteItem;
}

export function replaceMarker(table: CaseTable, id: string, nowSeconds: number) {
  const { Put } = putMarker(table, id);
  return {
    Put: {
      ...Put,
      ConditionExpression: 'attribute_not_exists(PK) OR #expiry < :now',
      ExpressionAttributeNames: { '#expiry': 'ttl' },
      ExpressionAttributeValues: { ':now': number(nowSeconds) },
    },
  } satisfies TransactWriteItem;
}

export function addClicks(
  table: CaseTable,
  by: number,
  key: Item = linkKey(table),
): TransactWriteItem {
  return {
    Update: {
      TableName: table.tableName,
      Key: key,
      UpdateExpression: 'ADD #0 :0',
      ConditionExpression: 'attribute_exists(PK)',
      ExpressionAttributeNames: { '#0': 'clicks' },
      ExpressionAttributeValues: { ':0': number(by) },
    },
  };
}

export async function store({ client, tableName }: CaseTable, item: Item): Promise<void> {
  await client.send(new PutItemCommand({ TableName: tableName, Item: item }));
}

export async function read({ client, tableName }: CaseTable, Key: Item): Promise<Item | undefined> {
  const input = { TableName: tableName, Key, ConsistentRead: true };
  return (await client.send(new GetItemCommand(input))).Item;
}

export async function readClicks(table: CaseTable): Promise<string | undefined> {
  return (await read(table, linkKey(table)))?.clicks?.N;
}

/** What a transaction comes to: committed, its reasons by position, or another error's name. */
export async function transact(
  { client }: CaseTable,
  TransactItems: TransactWriteItem[],
  ClientRequestToken?: string,
): Promise<unknown> {
  try {
    await client.send(new TransactWriteItemsCommand({ TransactItems, ClientRequestToken }));
    return 'committed';
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) return (error as Error).name;
    return error.CancellationReasons?.map(({ Code, Item }) => (Item ? [Code, Item.ttl] : Code));
  }
}

export async function outcomeOf(action: Promise<unknown>): Promise<unknown> {
  return action.then(
    () => 'done',
    (error: Error) => error.name,
  );
}

export const token = (table: CaseTable) => `${table.prefix}-token`;

export function makeMarkers(table: CaseTable, count: number): TransactWriteItem[] {
  return Array.from({ length: count }, (_, index) => putMarker(table, String(index)));
}

export function putLongKey(table: CaseTable, bytes: number): TransactWriteItem {
  const { Put } = putMarker(table, 'a');
  return { Put: { ...Put, Item: { ...Put.Item, PK: string(table.prefix.padEnd(bytes, 'x')) } } };
}

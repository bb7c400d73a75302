import { randomUUID } from 'node:crypto';
import { makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import {
  CreateTableCommand,
  DeleteTableCommand,
  type KeySchemaElement,
  PutItemCommand,
  type PutItemCommandInput,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { makeConfig, makeLayer, type Order } from '../helpers/layer.ts';

const keyPrefix = 'orders';
const table = useTable();
const totalOf = ({ customer }: Order) => ({ PK: `CUSTOMER#${customer}`, SK: 'TOTAL' });
const newOrder = (cents: number): Order => ({ id: randomUUID(), customer: randomUUID(), cents });
const readCents = async (order: Order) => (await table.get(totalOf(order).PK, 'TOTAL'))?.cents;
const businessTable = () => process.env.TABLE_NAME ?? '';

describe.each([
  ['a table with one key', ['id'], {}],
  ['a table with a sort key', ['PK', 'SK'], { keyAttr: 'PK', sortKeyAttr: 'SK' }],
])('records of Powertools’ own layer, in %s', (_, keys, powertoolsOptions) => {
  const tableName = `idempotency-${randomUUID()}`;
  const staticPkValue = 'idempotency';
  const markerKey = (key: string): Record<string, string> =>
    keys.length === 1 ? { id: key } : { PK: staticPkValue, SK: key };

  beforeAll(async () => {
    const KeySchema = keys.map((AttributeName, index): KeySchemaElement => {
      return { AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' };
    });
    const create = new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema,
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    });
    await table.client.send(create);
  });

  afterAll(async () => {
    await table.client.send(new DeleteTableCommand({ TableName: tableName }));
  });

  /** The function before the move: Powertools' own layer around the work. */
  const bookWithPowertools = async (order: Order) => {
    const book = async ({ cents }: Order, _context: unknown) => {
      const update = new UpdateItemCommand({
        TableName: businessTable(),
        Key: marshall(totalOf(order)),
        UpdateExpression: 'ADD cents :cents',
        ExpressionAttributeValues: marshall({ ':cents': cents }),
      });
      await table.client.send(update);
      return { by: 'powertools' };
    };
    const persistenceStore = new DynamoDBPersistenceLayer({
      tableName,
      staticPkValue,
      awsSdkV3Client: table.client,
      ...powertoolsOptions,
    });
    const once = makeIdempotent(book, { persistenceStore, keyPrefix, config: makeConfig() });
    return once(order, makeContext());
  };

  /** The function after the move. */
  const bookWithOurs = async (order: Order) => {
    const { persistenceStore, config } = makeLayer(
      ({ cents }) => ({
        increments: [
          { tableName: businessTable(), key: totalOf(order), attribute: 'cents', by: cents },
        ],
        response: { by: 'ours' },
      }),
      makeConfig(),
      { tableName, powertoolsRecords: true, markerKey },
    );
    const book = async (one: Order, _context: unknown) => persistenceStore.responseOf(one) ?? null;
    const once = makeIdempotent(book, { persistenceStore, keyPrefix, config });
    return once(order, makeContext());
  };

  /** A record as Powertools writes it before the work; the function then ended. */
  const interruptStock = async (order: Order, inProgressUntilMs: number) => {
    const interrupted = new Error('the function ended');
    const layer = new (class extends DynamoDBPersistenceLayer {
      protected override async _updateRecord() {
        throw interrupted;
      }
      protected override async _deleteRecord() {}
    })({ tableName, staticPkValue, awsSdkV3Client: table.client, ...powertoolsOptions });
    const work = async (_order: Order, _context: unknown) => {
      throw interrupted;
    };
    const once = makeIdempotent(work, {
      persistenceStore: layer,
      keyPrefix,
      config: makeConfig(),
    });
    const getRemainingTimeInMillis = () => inProgressUntilMs - Date.now();
    await expect(once(order, { ...makeContext(), getRemainingTimeInMillis })).rejects.toThrow();
  };

  type StoredItem = NonNullable<PutItemCommandInput['Item']>;
  const changeRecords = async (change: (item: StoredItem) => StoredItem) => {
    const { Items = [] } = await table.client.send(new ScanCommand({ TableName: tableName }));
    for (const item of Items) {
      const Item = change(item);
      await table.client.send(new PutItemCommand({ TableName: tableName, Item }));
    }
  };

  test('count for ours: the work is not done again, and the response comes back', async () => {
    const order = newOrder(5);
    await bookWithPowertools(order);

    expect(await bookWithOurs(order)).toEqual({ by: 'powertools' });
    expect(await readCents(order)).toBe(5);
  });

  test('are written by ours, so that Powertools does not do the work again', async () => {
    const order = newOrder(5);
    await bookWithOurs(order);

    expect(await bookWithPowertools(order)).toEqual({ by: 'ours' });
    expect(await readCents(order)).toBe(5);
  });

  test.each([
    ['by Powertools after ours', bookWithOurs, bookWithPowertools],
    ['by ours after Powertools', bookWithPowertools, bookWithOurs],
  ])('show that a payload has changed, %s', async (_title, first, second) => {
    const order = newOrder(5);
    await first(order);

    await expect(second({ ...order, cents: 6 })).rejects.toThrow('Payload does not match');
    expect(await readCents(order)).toBe(5);
  });

  test('let no other do the work that one is at', async () => {
    const order = newOrder(5);
    await interruptStock(order, Date.now() + 60_000);

    await expect(bookWithOurs(order)).rejects.toThrow('already an execution in progress');
    expect(await readCents(order)).toBeUndefined();
  });

  test('let the next do the work whose function ended midway', async () => {
    const order = newOrder(5);
    await interruptStock(order, Date.now() - 1_000);

    expect(await bookWithOurs(order)).toEqual({ by: 'ours' });
    expect(await readCents(order)).toBe(5);
  });

  test('that have expired count for nobody', async () => {
    const order = newOrder(5);
    await bookWithPowertools(order);
    await changeRecords((item) => ({ ...item, expiration: { N: '1' } }));

    expect(await bookWithOurs(order)).toEqual({ by: 'ours' });
    expect(await readCents(order)).toBe(10);
  });

  test('from before payloads were validated are refused, instead of being done again', async () => {
    const order = newOrder(5);
    await bookWithPowertools(order);
    await changeRecords(({ validation: _, ...item }) => item);

    await expect(bookWithOurs(order)).rejects.toThrow('Payload does not match');
    expect(await readCents(order)).toBe(5);
  });
});

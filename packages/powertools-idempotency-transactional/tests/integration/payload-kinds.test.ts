import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import { IdempotencyItemNotFoundError } from '@aws-lambda-powertools/idempotency';
import { CreateTableCommand, DeleteTableCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { createCommitClient, type Effects } from 'powertools-idempotency-transactional';
import { describe, expect, test } from 'vitest';
import { meterClient } from '../../../../fixtures/capacity-meter.ts';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { makeBook, makeConfig, makeLayer, type Order } from '../helpers/layer.ts';
import { addToTotal, readTotal } from '../helpers/totals.ts';

const table = useTable();

const newOrders = (customer: string, count: number): Order[] =>
  Array.from({ length: count }, () => ({ id: randomUUID(), customer, cents: 1 }));

/** Books orders at once. Returns why some failed, and how many requests it took. */
async function bookAll(effects: (order: Order) => Effects, orders: Order[]) {
  const awsSdkV3Client = createCommitClient();
  const meter = meterClient(awsSdkV3Client);
  const book = makeBook(effects, makeConfig(), { awsSdkV3Client });
  const results = await Promise.allSettled(orders.map((order) => book(order, makeContext())));
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? result.reason.cause.name : [],
  );
  return { failures, requests: meter.requests };
}

const add = ({ customer, cents }: Order) => addToTotal(customer, cents);

test('orders share requests although the handler waits for gunzip first', async () => {
  const customer = randomUUID();
  const awsSdkV3Client = createCommitClient();
  const meter = meterClient(awsSdkV3Client);
  // DynamoDB takes about 25 ms, and engines on this machine less.
  awsSdkV3Client.middlewareStack.add(
    (next) => async (args) => {
      await new Promise((resolve) => setTimeout(resolve, 25));
      return next(args);
    },
    { step: 'build' },
  );
  const book = makeBook(add, makeConfig(), { awsSdkV3Client });
  const unzip = promisify(gunzip);
  const records = newOrders(customer, 100).map((order) => gzipSync(JSON.stringify(order)));

  await Promise.all(
    records.map(async (record) => book(JSON.parse(`${await unzip(record)}`), makeContext())),
  );

  expect(await readTotal(table, customer)).toBe(100);
  expect(meter.requests).toBeLessThanOrEqual(4);
});

test('a write whose key is a bigint, and whose condition fails, fails its own order only', async () => {
  const customer = randomUUID();
  const numbers = `numbers-${randomUUID()}`;
  await table.client.send(
    new CreateTableCommand({
      TableName: numbers,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'number', AttributeType: 'N' }],
      KeySchema: [{ AttributeName: 'number', KeyType: 'HASH' }],
    }),
  );
  const orders = newOrders(customer, 10);
  const effects = (order: Order): Effects => ({
    ...add(order),
    writes: [
      {
        Delete: {
          TableName: numbers,
          Key: { number: BigInt(orders.indexOf(order)) },
          ...(order === orders[3] && { ConditionExpression: 'attribute_exists(#n)' }),
          ...(order === orders[3] && { ExpressionAttributeNames: { '#n': 'number' } }),
        },
      },
    ],
  });

  expect((await bookAll(effects, orders)).failures).toEqual(['ConditionFailedError']);

  expect(await readTotal(table, customer)).toBe(9);
  await table.client.send(new DeleteTableCommand({ TableName: numbers }));
});

test.each([
  ['N', [1, 1n, 1, 2n]],
  ['B', [Buffer.from([255]), Uint8Array.of(255), Uint8Array.from([255]), Uint8Array.of(0)]],
] as const)('increments add to items whose key is of type %s', async (keyType, keys) => {
  const tableName = `keys-${randomUUID()}`;
  await table.client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: keyType }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
  const orders = newOrders('ann', keys.length);
  const effects = (order: Order): Effects => ({
    increments: [
      { tableName, key: { id: keys[orders.indexOf(order)] ?? '' }, attribute: 'orders', by: 1 },
    ],
  });

  expect(await bookAll(effects, orders)).toEqual({ failures: [], requests: 1 });

  const { Items = [] } = await table.client.send(new ScanCommand({ TableName: tableName }));
  expect(Items.map(({ orders: sum }) => sum?.N).sort()).toEqual(['1', '3']);
  await table.client.send(new DeleteTableCommand({ TableName: tableName }));
});

describe('orders that check one shared item', () => {
  const shop = (PK: string): Effects['writes'] => [
    {
      ConditionCheck: {
        Key: { PK, SK: 'STATE' },
        ConditionExpression: 'isOpen = :true',
        ExpressionAttributeValues: { ':true': true },
      },
    },
  ];

  test('share the check, too', async () => {
    const customer = randomUUID();
    await table.put({ PK: customer, SK: 'STATE', isOpen: true });
    const effects = (order: Order) => ({ ...add(order), writes: shop(customer) });

    const { failures, requests } = await bookAll(effects, newOrders(customer, 100));

    expect(failures).toEqual([]);
    expect(requests).toBe(2);
    expect(await readTotal(table, customer)).toBe(100);
  });

  test('fail together if it fails, and others do not', async () => {
    const customer = randomUUID();
    const orders = newOrders(customer, 20);
    const effects = (order: Order): Effects => ({
      ...add(order),
      writes: orders.indexOf(order) < 5 ? [] : shop(customer),
    });

    const { failures } = await bookAll(effects, orders);

    expect(failures).toEqual(Array(15).fill('ConditionFailedError'));

    expect(await readTotal(table, customer)).toBe(5);
  });
});

// Reserved words, and names that an expression can't have.
test.each(['key', 'name', 'hash', 'uuid', 'user', 'token', 'partition-key', '_pk', '1st'])(
  'a table can have the key %s and any attribute for the expiry',
  async (keyAttr) => {
    const tableName = `names-${randomUUID()}`;
    await table.client.send(
      new CreateTableCommand({
        TableName: tableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: keyAttr, AttributeType: 'S' }],
        KeySchema: [{ AttributeName: keyAttr, KeyType: 'HASH' }],
      }),
    );
    const increment = { key: { [keyAttr]: 'total' }, attribute: 'sum', by: 1 };
    const settings = { tableName, keyAttr, expiryAttr: 'expires-at', sortKeyAttr: undefined };
    const book = makeBook<Order>(
      () => ({ increments: [increment], response: 'booked' }),
      makeConfig({ responseHook: () => 'duplicate' }),
      { ...settings, staticSkValue: undefined },
    );
    const [order] = newOrders('ann', 1) as [Order];

    const answers = [await book(order, makeContext()), await book({ ...order }, makeContext())];

    expect(answers).toEqual(['booked', 'duplicate']);
    await table.client.send(new DeleteTableCommand({ TableName: tableName }));
  },
);

test('getRecord finds a committed order, also on a sheet, and rejects a changed one', async () => {
  const customer = randomUUID();
  const [own, placed, missing] = newOrders(customer, 3) as [Order, Order, Order];
  const slot = (key: string) =>
    key.endsWith(placed.id) ? { sheetKey: { PK: customer, SK: 'SHEET' }, index: 7 } : undefined;
  const effects = (order: Order): Effects => ({
    ...add(order),
    ...(order.id === own.id && { response: { booked: true } }),
  });
  const config = makeConfig();
  const { persistenceStore } = makeLayer(effects, config, { slot });
  persistenceStore.configure({ config, keyPrefix: 'BOOKING' });
  await persistenceStore.saveInProgress({ ...own }, 10_000);
  await persistenceStore.saveInProgress({ ...placed }, 10_000);

  const found = await persistenceStore.getRecord({ ...own });

  expect(found.getStatus()).toBe('COMPLETED');
  expect(found.getResponse()).toEqual({ booked: true });
  expect((await persistenceStore.getRecord({ ...placed })).getResponse()).toBeNull();
  await expect(persistenceStore.getRecord({ ...missing })).rejects.toThrow(
    IdempotencyItemNotFoundError,
  );
  for (const changed of [own, placed]) {
    await expect(persistenceStore.getRecord({ ...changed, cents: 2 })).rejects.toMatchObject({
      name: 'IdempotencyValidationError',
    });
  }
});

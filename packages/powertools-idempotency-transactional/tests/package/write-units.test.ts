import { randomUUID } from 'node:crypto';
import { makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { createCommitClient, type Slot } from 'powertools-idempotency-transactional';
import { describe, expect, inject, test } from 'vitest';
import { meterClient } from '../../../../fixtures/capacity-meter.ts';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { readPage } from '../helpers/examples.ts';
import { makeBook, makeConfig, type Order } from '../helpers/layer.ts';

type BookAll = (orders: Order[]) => Promise<{ requests: number; writeUnits: number }>;

const table = useTable();
const readme = readPage('README.md');
const keyOf = ({ customer }: Order) => ({ PK: `CUSTOMER#${customer}`, SK: 'TOTAL' });

const bookWithPowertools: BookAll = async (orders) => {
  const client = new DynamoDBClient();
  const meter = meterClient(client);
  const { tableName } = table;
  const options = { tableName, keyAttr: 'PK', sortKeyAttr: 'SK', awsSdkV3Client: client };
  const persistenceStore = new DynamoDBPersistenceLayer(options);
  const book = async (order: Order, _context: unknown) => {
    const update = new UpdateItemCommand({
      TableName: tableName,
      Key: marshall(keyOf(order)),
      UpdateExpression: 'ADD orders :one',
      ExpressionAttributeValues: marshall({ ':one': 1 }),
    });
    await client.send(update);
  };
  const bookOnce = makeIdempotent(book, { persistenceStore, config: makeConfig() });
  await Promise.all(orders.map((order) => bookOnce(order, makeContext())));
  return meter;
};

const bookWithOurs =
  (slot?: (idempotencyKey: string) => Slot): BookAll =>
  async (orders) => {
    const client = createCommitClient();
    const meter = meterClient(client);
    const book = makeBook(
      (order) => ({ increments: [{ key: keyOf(order), attribute: 'orders', by: 1 }] }),
      makeConfig(),
      { client, ...(slot && { slot }) },
    );
    await Promise.all(orders.map((order) => book(order, makeContext())));
    return meter;
  };

/** Books so many new orders of so many customers, and says what it cost, as the README does. */
async function measure(bookAll: BookAll, orders: number, customers: number): Promise<string> {
  const batch = randomUUID();
  const { writeUnits, requests } = await bookAll(
    Array.from({ length: orders }, (_, index) => ({
      id: `${batch}.${index}`,
      customer: `${batch}.${index % customers}`,
      cents: 250,
    })),
  );
  return `${writeUnits} units, ${requests} ${requests === 1 ? 'request' : 'requests'}`;
}

// Only dynoxide reports the capacity that AWS bills.
describe.runIf(inject('engine') === 'dynoxide')('what the README says it costs', () => {
  test.each([
    ['an order by itself', 1, 1],
    ['100 orders of one customer', 100, 1],
    ['100 orders of 100 customers', 100, 100],
  ])('is what %s costs', async (title, orders, customers) => {
    const powertools = await measure(bookWithPowertools, orders, customers);
    const ours = await measure(bookWithOurs(), orders, customers);

    expect(readme).toContain(`| ${title} | ${powertools} | ${ours} |`);
  });

  test('is what 100 orders of one customer cost, whose ids are on one sheet', async () => {
    const book = bookWithOurs((idempotencyKey) => {
      const [batch = '', index] = idempotencyKey.split('.');
      return { sheetKey: { PK: batch, SK: 'SHEET' }, index: Number(index) };
    });

    expect(await measure(book, 100, 1)).toBe('4 units, 1 request');
    expect(readme).toContain('customer from one producer then costs 4 units');
  });
});

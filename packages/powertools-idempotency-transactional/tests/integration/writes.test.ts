import { randomUUID } from 'node:crypto';
import type { JSONValue } from '@aws-lambda-powertools/commons/types';
import { makeHandlerIdempotent } from '@aws-lambda-powertools/idempotency/middleware';
import type { IdempotencyConfigOptions } from '@aws-lambda-powertools/idempotency/types';
import { CreateTableCommand, DeleteTableCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Effects } from 'powertools-idempotency-transactional';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { makeBook, makeConfig, makeLayer, type Order } from '../helpers/layer.ts';
import { addToTotal, readTotal } from '../helpers/totals.ts';

const outbox = `outbox-${randomUUID()}`;
const table = useTable();

beforeAll(async () => {
  const create = new CreateTableCommand({
    TableName: outbox,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'eventId', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'eventId', KeyType: 'HASH' }],
  });
  await table.client.send(create);
});

afterAll(async () => {
  await table.client.send(new DeleteTableCommand({ TableName: outbox }));
});

/** Books an order: its own item, the customer's total, and an event in the outbox. */
const bookOrder = (order: Order): Effects => ({
  ...addToTotal(order.customer, order.cents),
  writes: [
    {
      Put: {
        Item: { PK: `ORDER#${order.id}`, SK: 'ORDER', ...order, tags: ['new', { gift: false }] },
        ConditionExpression: 'attribute_not_exists(PK)',
      },
    },
    { Put: { TableName: outbox, Item: { eventId: order.id, cents: order.cents } } },
  ],
  response: { statusCode: 201, body: `order ${order.id}` },
});

/** Delivers orders at once to a new instance of a function that has these effects once. */
async function deliver(
  effects: (order: Order) => Effects,
  orders: Order[],
  settings: IdempotencyConfigOptions = {},
) {
  const tables = { [outbox]: ['eventId'] };
  const book = makeBook(effects, makeConfig(settings), { tables });
  return Promise.all(
    orders.map((order) => book({ ...order }, makeContext()).catch(({ cause }) => cause)),
  );
}

const newOrder = (customer: string, cents = 250): Order => ({ id: randomUUID(), customer, cents });
const readOrder = ({ id }: Order) => table.get(`ORDER#${id}`, 'ORDER');

test('an order is booked in two tables, once for all deliveries, which get its response', async () => {
  const order = newOrder('ann');
  const responseHook = vi.fn((replayed: JSONValue) => ({ replayed }));

  const answers = [
    ...(await deliver(bookOrder, [order])),
    ...(await deliver(bookOrder, [order])),
    ...(await deliver(bookOrder, [order, order], { useLocalCache: true, responseHook })),
  ];

  const response = { statusCode: 201, body: `order ${order.id}` };
  const replayed = { replayed: response };
  expect(answers).toEqual([response, response, replayed, replayed]);
  expect(responseHook).toHaveBeenCalledTimes(2);
  expect(await readTotal(table, order.customer)).toBe(250);
  expect(await readOrder(order)).toMatchObject({ ...order, tags: ['new', { gift: false }] });
  const get = new GetItemCommand({ TableName: outbox, Key: { eventId: { S: order.id } } });
  expect((await table.client.send(get)).Item).toBeDefined();
});

test('an order is booked only if an item that it does not write passes a check', async () => {
  const order = newOrder('ella');
  const check = {
    Key: { PK: 'SHOP', SK: 'STATE' },
    ConditionExpression: '#state = :open',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':open': 'open' },
  };
  const effects = (one: Order) => ({ ...bookOrder(one), writes: [{ ConditionCheck: check }] });
  await table.put({ PK: 'SHOP', SK: 'STATE', state: 'closed' });

  const [whileClosed] = await deliver(effects, [order]);
  await table.put({ PK: 'SHOP', SK: 'STATE', state: 'open' });
  const [whileOpen] = await deliver(effects, [order]);

  expect(whileClosed).toMatchObject({ name: 'ConditionFailedError', item: { state: 'closed' } });
  expect(whileOpen).toMatchObject({ statusCode: 201 });
  expect(await readTotal(table, order.customer)).toBe(250);
});

// Middy takes undefined for no answer, and would run the handler again.
test('under Middy, a duplicate without a response is answered with null, and counts once', async () => {
  const order = newOrder('kim');
  const layer = makeLayer(({ customer, cents }) => addToTotal(customer, cents));
  const handler = middy(async (event: Order, _context: Context) =>
    layer.persistenceStore.receiptOf(event),
  ).use(makeHandlerIdempotent({ ...layer, keyPrefix: 'EVENT' }));

  const answers = [await handler(order, makeContext()), await handler({ ...order }, makeContext())];

  expect(answers).toEqual([`EVENT#${order.id}`, null]);
  expect(await readTotal(table, order.customer)).toBe(250);
});

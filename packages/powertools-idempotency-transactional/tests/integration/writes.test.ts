import { randomUUID } from 'node:crypto';
import type { JSONValue } from '@aws-lambda-powertools/commons/types';
import { makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { makeHandlerIdempotent } from '@aws-lambda-powertools/idempotency/middleware';
import type { IdempotencyConfigOptions } from '@aws-lambda-powertools/idempotency/types';
import { CreateTableCommand, DeleteTableCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Effects } from 'powertools-idempotency-transactional';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { makeConfig, makeLayer, type Order } from '../helpers/layer.ts';

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

const keyOf = ({ customer }: Order) => ({ PK: `CUSTOMER#${customer}`, SK: 'TOTAL' });

/** Books an order: its own item, the customer's total, and an event in the outbox. */
const bookOrder = (order: Order): Effects => ({
  increments: [{ key: keyOf(order), attribute: 'cents', by: order.cents }],
  writes: [
    {
      Put: {
        Item: { PK: `ORDER#${order.id}`, SK: 'ORDER', ...order, tags: ['new', { gift: false }] },
        ConditionExpression: 'attribute_not_exists(PK)',
      },
    },
    { Put: { TableName: outbox, Item: { eventId: `booked-${order.id}`, cents: order.cents } } },
  ],
  response: { statusCode: 201, body: `order ${order.id}` },
});

/** A function that has these effects once; each call is another instance. */
function makeOnce(effects: (order: Order) => Effects, options: IdempotencyConfigOptions = {}) {
  const { persistenceStore, config } = makeLayer(effects, makeConfig(options), {
    tables: { [outbox]: ['eventId'] },
  });
  const once = makeIdempotent(
    async (order: Order, _context: unknown) => persistenceStore.responseOf(order) ?? null,
    { persistenceStore, keyPrefix: 'BOOKING', config },
  );
  return (...orders: Order[]) =>
    Promise.allSettled(orders.map((order) => once(order, makeContext())));
}

const newOrder = (customer: string, cents = 250): Order => ({ id: randomUUID(), customer, cents });
const readTotal = async (order: Order) => (await table.get(keyOf(order).PK, 'TOTAL'))?.cents;
const readOrder = ({ id }: Order) => table.get(`ORDER#${id}`, 'ORDER');
const readOutbox = async () => {
  const { Items = [] } = await table.client.send(new ScanCommand({ TableName: outbox }));
  return Items.map((item) => unmarshall(item).eventId);
};
const booked = (order: Order) => ({
  status: 'fulfilled',
  value: { statusCode: 201, body: `order ${order.id}` },
});
const causeOf = (result?: PromiseSettledResult<JSONValue>) =>
  result?.status === 'rejected' ? result.reason.cause : undefined;

describe('an order is booked with all its writes, or not at all', () => {
  test('in two tables, once for two deliveries', async () => {
    const order = newOrder('ann');

    const first = await makeOnce(bookOrder)(order);
    const second = await makeOnce(bookOrder)({ ...order });

    expect([...first, ...second]).toEqual([booked(order), booked(order)]);
    expect(await readTotal(order)).toBe(250);
    expect(await readOrder(order)).toMatchObject({ ...order, tags: ['new', { gift: false }] });
    expect(await readOutbox()).toContain(`booked-${order.id}`);
  });

  test('also with a check of an item that it does not write', async () => {
    const order = newOrder('ella');
    const once = makeOnce((o) => ({
      ...bookOrder(o),
      writes: [
        {
          ConditionCheck: {
            Key: { PK: 'SHOP', SK: 'STATE' },
            ConditionExpression: '#state = :open',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: { ':open': 'open' },
          },
        },
      ],
    }));
    await table.put({ PK: 'SHOP', SK: 'STATE', state: 'closed' });

    const [whileClosed] = await once(order);
    await table.put({ PK: 'SHOP', SK: 'STATE', state: 'open' });
    const [whileOpen] = await once({ ...order });

    expect(causeOf(whileClosed)).toMatchObject({ item: { state: 'closed' } });
    expect(whileOpen).toEqual(booked(order));
    expect(await readTotal(order)).toBe(250);
  });
});

describe('writes of several records on one item', () => {
  const key = { PK: 'LAST', SK: 'ORDER' };

  test('are made in the order of arrival', async () => {
    const once = makeOnce(({ id, cents }) => ({
      writes: [
        {
          Update: {
            Key: key,
            UpdateExpression: 'SET orders = list_append(if_not_exists(orders, :none), :order)',
            ExpressionAttributeValues: { ':none': [], ':order': [cents] },
          },
        },
      ],
      response: id,
    }));
    const orders = Array.from({ length: 12 }, (_, index) => newOrder('finn', index));

    const results = await once(...orders);

    expect(results).toEqual(orders.map(({ id }) => ({ status: 'fulfilled', value: id })));
    expect((await table.get('LAST', 'ORDER'))?.orders).toEqual(orders.map(({ cents }) => cents));
  });

  test('may follow an increment of it, and delete it', async () => {
    const order = newOrder('gil');
    const cancel = { id: randomUUID(), customer: 'gil', cents: 0 };
    const once = makeOnce((o) =>
      o.cents > 0 ? bookOrder(o) : { writes: [{ Delete: { Key: keyOf(o) } }] },
    );

    const results = await once(order, cancel);

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await readTotal(order)).toBeUndefined();
    expect(await readOrder(order)).toBeDefined();
  });
});

test('a duplicate gets its response through the responseHook', async () => {
  const order = newOrder('jo');
  const hook = vi.fn((response: JSONValue) => ({ replayed: response }));
  await makeOnce(bookOrder)(order);

  const once = makeOnce(bookOrder, { useLocalCache: true, responseHook: hook });

  const answers = [...(await once({ ...order })), ...(await once({ ...order }))];

  const value = { replayed: { statusCode: 201, body: `order ${order.id}` } };
  expect(answers).toEqual([
    { status: 'fulfilled', value },
    { status: 'fulfilled', value },
  ]);
  expect(hook).toHaveBeenCalledTimes(2);
});

// Middy takes undefined for no answer, and would run the handler again.
test('under Middy, a duplicate without a response is answered with null, and counts once', async () => {
  const order = newOrder('kim');
  const layer = makeLayer<Order>(({ cents }) => ({
    increments: [{ key: keyOf(order), attribute: 'cents', by: cents }],
  }));
  const handler = middy(async (event: Order, _context: Context) =>
    layer.persistenceStore.receiptOf(event),
  ).use(makeHandlerIdempotent({ ...layer, keyPrefix: 'EVENT' }));

  const answers = [await handler(order, makeContext()), await handler({ ...order }, makeContext())];

  expect(answers).toEqual([`EVENT#${order.id}`, null]);
  expect(await readTotal(order)).toBe(250);
});

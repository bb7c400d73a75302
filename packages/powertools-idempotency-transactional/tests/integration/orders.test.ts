import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { describe, expect, test } from 'vitest';
import { makeHttpEvent } from '../../../../fixtures/http-events.ts';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { makeBatch } from '../../../../fixtures/sqs-events.ts';
import { useOutput } from '../../../../tests/helpers/output.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import type { Order } from '../../examples/orders/orders.ts';
import { readTotal } from '../helpers/totals.ts';

const table = useTable({
  QUEUE_RETENTION_SECONDS: '1000',
  DEAD_LETTER_RETENTION_SECONDS: '10000',
});
const output = useOutput();

/** Hands a batch to a new instance; returns the positions of the messages that it reports as failed. */
async function deliver(bodies: string[]) {
  const { createHandler } = await import('../../examples/orders/book-orders.ts');
  const handler = createHandler(createCommitClient());
  const { batchItemFailures } = await handler(makeBatch(bodies), makeContext());
  const positions = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier.split('-')[1]);
  return positions.map(Number).toSorted((a, b) => a - b);
}

const newOrder = (customer: string, cents: number, voucher?: string): Order => ({
  id: randomUUID(),
  customer,
  cents,
  ...(voucher && { voucher }),
});
const toBody = (order: object) => JSON.stringify(order);

/** Of these orders, those that are booked. Each has all of its items or none. */
async function readBooked(orders: Order[]): Promise<Order[]> {
  const booked: Order[] = [];
  for (const order of orders) {
    const stored = await Promise.all([
      table.get(`ORDER#${order.id}`, 'ORDER'),
      table.get(`OUTBOX#${order.id}`, 'ORDER_BOOKED'),
      table.get(`BOOKING#${order.id}`, 'MARKER'),
    ]);
    const voucher = order.voucher && (await table.get(`VOUCHER#${order.voucher}`, 'VOUCHER'));
    const parts = [...stored.map(Boolean), ...(voucher ? [voucher.redeemedBy === order.id] : [])];
    expect(new Set(parts).size, `${parts}`).toBe(1);
    if (parts[0]) booked.push(order);
  }
  return booked;
}

test('of a batch of orders, those that cannot be booked fail alone, and the log says why', async () => {
  const voucher = randomUUID();
  await table.put({ PK: `VOUCHER#${voucher}`, SK: 'VOUCHER' });
  const good = newOrder('ben', 1);
  const taken = newOrder('ben', 10);
  const last = newOrder('ben', 1_000);
  // The first to arrive gets the voucher.
  const first = newOrder('ben', 100, voucher);
  const second = newOrder('ben', 20_000, voucher);
  const stored = { PK: `ORDER#${taken.id}`, SK: 'ORDER', customer: 'cleo', cents: 10 };
  await table.put(stored);
  const bodies = [
    toBody(good),
    toBody(good),
    toBody({ ...good, cents: 2 }),
    toBody(taken),
    'poison',
    toBody({ ...last, id: 'not one word' }),
    toBody(newOrder('ben', 5, 'unknown')),
    toBody(second),
    ...[last, first].map(toBody),
  ];

  expect(await deliver([toBody(first), ...bodies])).toEqual([3, 4, 5, 6, 7, 8]);

  expect(await readBooked([good, last, first, second])).toEqual([good, last, first]);
  expect(await readTotal(table, 'ben')).toBe(1_101);
  expect(await table.get(`ORDER#${good.id}`, 'ORDER')).toMatchObject(good);
  expect(await table.get(`ORDER#${taken.id}`, 'ORDER')).toEqual(stored);
  expect(await table.get('VOUCHER#unknown', 'VOUCHER')).toBeUndefined();
  const reasons = output.logged().map(({ messageId, reason }) => [messageId, `${reason}`]);
  expect(reasons).toEqual(
    expect.arrayContaining([
      ['message-3', expect.stringMatching(/^IdempotencyValidationError/)],
      ['message-4', expect.stringMatching(/^ConditionFailedError/)],
      ['message-5', expect.stringMatching(/^InvalidOrderError/)],
    ]),
  );
});

describe('POST /orders', () => {
  /** Posts what a caller sends under a key; `parts` are other parts of the event. */
  const post = async (
    caller: string,
    key: string | undefined,
    text: string,
    parts: Partial<APIGatewayProxyEventV2> = {},
  ) => {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const request = { rawPath: '/orders', headers, body: text, ...parts };
    const event = makeHttpEvent(request, { caller, method: 'POST' });
    const { createHandler } = await import('../../examples/orders/create-order.ts');
    const handler = createHandler(createCommitClient());
    const answer = await handler(event as Parameters<typeof handler>[0], makeContext());
    const { statusCode, body } = answer as APIGatewayProxyStructuredResultV2;
    return { statusCode, body: JSON.parse(body ?? '') };
  };
  const order = '{"cents":7}';

  test('answers a caller’s key twice with the same 201, also in base64, and books for that caller', async () => {
    const key = randomUUID();
    const foreign = '{"id":"dan.1","customer":"dan","cents":7}';
    const base64 = { isBase64Encoded: true };

    const answers = [
      await post('alice', key, order),
      await post('bob', key, foreign),
      await post('bob', key, foreign),
      await post('eve', key, Buffer.from(order).toString('base64'), base64),
    ];

    const booked = (customer: string) => ({
      statusCode: 201,
      body: { id: `${customer}.${key}`, customer, cents: 7 },
    });
    expect(answers).toEqual(['alice', 'bob', 'bob', 'eve'].map((caller) => booked(caller)));
    const totals = ['alice', 'bob', 'eve', 'dan'].map((customer) => readTotal(table, customer));
    expect(await Promise.all(totals)).toEqual([7, 7, 7, 0]);
  });

  test.each([
    ['a caller with a delimiter', 'fay.x', 'y', order],
    ['a key with a delimiter', 'fay', 'x.y', order],
    ['no caller', '', 'y', order],
    ['no key', 'fay', undefined, order],
  ])('answers 400 to %s', async (_, caller, key, text) => {
    expect(await post(caller, key, text)).toMatchObject({
      statusCode: 400,
      body: { message: expect.stringMatching(/^expected /) },
    });
    expect(await readTotal(table, 'fay')).toBe(0);
  });

  test('books an order once that comes from the queue too, and answers 422 to its key with another order or path', async () => {
    const key = randomUUID();
    const queued = { ...newOrder('pia', 7), id: `pia.${key}` };
    await deliver([toBody(queued)]);

    const answers = [
      await post('pia', key, order),
      await post('pia', key, '{"cents":70}'),
      await post('pia', key, order, { rawPath: '/orders/express' }),
    ];

    const rejected = { statusCode: 422, body: { message: 'another request has this key' } };
    expect(answers).toEqual([{ statusCode: 201, body: queued }, rejected, rejected]);
    expect(await readTotal(table, 'pia')).toBe(7);
  });
});

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { beforeAll, describe, expect, test } from 'vitest';
import { localClientConfig } from '../../../../cli/local-aws.ts';
import { makeHttpEvent } from '../../../../fixtures/http-events.ts';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { makeBatch } from '../../../../fixtures/sqs-events.ts';
import { projectDir } from '../../../../local/engines/serverless.ts';
import { useOutput } from '../../../../tests/helpers/output.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import type { Order } from '../../examples/orders/orders.ts';

const dyingFunction = path.join(projectDir, 'tests/helpers/dying-aggregator.ts');
const bookOrders = path.resolve(import.meta.dirname, '../../examples/orders/book-orders.ts');

const table = useTable({
  QUEUE_RETENTION_SECONDS: '1000',
  DEAD_LETTER_RETENTION_SECONDS: '10000',
});
const functions = {} as {
  bookOrders: typeof import('../../examples/orders/book-orders.ts').createHandler;
  createOrder: typeof import('../../examples/orders/create-order.ts').createHandler;
};

beforeAll(async () => {
  functions.bookOrders = (await import('../../examples/orders/book-orders.ts')).createHandler;
  functions.createOrder = (await import('../../examples/orders/create-order.ts')).createHandler;
});

const output = useOutput();

type UseClient = (client: DynamoDBClient) => void;

const newClient = (useClient: UseClient = () => {}) => {
  const client = createCommitClient(localClientConfig(table.endpoint));
  useClient(client);
  return client;
};

/** Hands a batch to a new instance; returns the positions of the messages that it reports as failed. */
async function deliver(bodies: string[], useClient?: UseClient) {
  const handler = functions.bookOrders(newClient(useClient));
  const { batchItemFailures } = await handler(makeBatch(bodies), makeContext());
  const positions = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier.split('-')[1]);
  return positions.map(Number).toSorted();
}

const newOrder = (customer: string, cents: number, voucher?: string): Order => ({
  id: randomUUID(),
  customer,
  cents,
  ...(voucher && { voucher }),
});
const toBody = (order: object) => JSON.stringify(order);
const newVoucher = async () => {
  const voucher = randomUUID();
  await table.put({ PK: `VOUCHER#${voucher}`, SK: 'VOUCHER' });
  return voucher;
};

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
    const isBooked = stored[0] !== undefined;
    expect(stored.map((item) => item !== undefined)).toEqual([isBooked, isBooked, isBooked]);
    if (voucher) expect(voucher.redeemedBy === order.id).toBe(isBooked);
    if (!isBooked) continue;
    expect(stored.slice(0, 2)).toEqual([
      { PK: `ORDER#${order.id}`, SK: 'ORDER', ...order },
      { PK: `OUTBOX#${order.id}`, SK: 'ORDER_BOOKED', ...order },
    ]);
    booked.push(order);
  }
  return booked;
}

const readTotal = async (customer: string) =>
  (await table.get(`CUSTOMER#${customer}`, 'TOTAL'))?.cents ?? 0;
const sum = (orders: Order[]) => orders.reduce((total, { cents }) => total + cents, 0);

describe('a batch of orders', () => {
  test('is booked: every order, the sum, one outbox item each', async () => {
    const orders = [newOrder('ann', 100), newOrder('ann', 20), newOrder('ann', 3)];

    expect(await deliver(orders.map(toBody))).toEqual([]);

    expect(await readBooked(orders)).toEqual(orders);
    expect(await readTotal('ann')).toBe(123);
  });

  test('fails alone what cannot be booked, and says why', async () => {
    const [good, taken, last] = [newOrder('ben', 1), newOrder('ben', 10), newOrder('ben', 1_000)];
    const stored = { PK: `ORDER#${taken.id}`, SK: 'ORDER', customer: 'cleo', cents: 10 };
    await table.put(stored);
    const bodies = [
      toBody(good),
      toBody(good),
      toBody({ ...good, cents: 2 }),
      toBody(taken),
      'poison',
      toBody({ ...last, id: 'not one word' }),
      toBody({ ...last, cents: 0.5 }),
      toBody({ ...last, customer: undefined }),
      'null',
      toBody(last),
    ];

    expect(await deliver(bodies)).toEqual([2, 3, 4, 5, 6, 7, 8]);

    expect(await readBooked([good, last])).toEqual([good, last]);
    expect(await readTotal('ben')).toBe(1_001);
    expect(await table.get(`ORDER#${taken.id}`, 'ORDER')).toEqual(stored);
    expect(await table.get(`OUTBOX#${taken.id}`, 'ORDER_BOOKED')).toBeUndefined();
    expect(
      output.logged().map(({ messageId, reason }) => [messageId, `${reason}`.split(':')[0]]),
    ).toEqual(
      expect.arrayContaining([
        ['message-2', 'IdempotencyValidationError'],
        ['message-3', 'ConditionFailedError'],
        ['message-4', 'InvalidOrderError'],
      ]),
    );
  });

  test('gives a voucher to the first of its orders, whatever the order of their ids', async () => {
    const voucher = await newVoucher();
    const orders = Array.from({ length: 6 }, () => newOrder('dora', 5, voucher));

    expect(await deliver(orders.map(toBody))).toEqual([1, 2, 3, 4, 5]);

    expect(await readBooked(orders)).toEqual([orders[0]]);
    expect(await readTotal('dora')).toBe(5);
  });

  test('refuses a voucher that nobody issued', async () => {
    const order = newOrder('ella', 5, 'unknown');

    expect(await deliver([toBody(order)])).toEqual([0]);

    expect(await readBooked([order])).toEqual([]);
    expect(await table.get('VOUCHER#unknown', 'VOUCHER')).toBeUndefined();
  });
});

/** Stops an instance for good, before its request or after the commit and before the answer. */
function crashAt(point: number, onCrash: () => void): UseClient {
  let passed = 0;
  const pass = async () => {
    passed += 1;
    if (passed < point) return;
    onCrash();
    await new Promise(() => {});
  };
  return (client) =>
    client.middlewareStack.add(
      (next) => async (args) => {
        await pass();
        return next(args).finally(pass);
      },
      { step: 'deserialize', priority: 'low' },
    );
}

describe('an instance that dies', () => {
  test('before any request or after any commit leaves whole orders, and a copy books the rest', async () => {
    let points = 0;
    for (let isOver = false; !isOver; ) {
      points += 1;
      const [customer, voucher] = [`finn-${points}`, await newVoucher()];
      const [a, b] = [newOrder(customer, 100), newOrder(customer, 20)];
      const [first, second] = [newOrder(customer, 3, voucher), newOrder(customer, 4_000, voucher)];
      const orders = [a, b, first, second];
      const bodies = [a, b, a, first, second].map(toBody);
      const death = Promise.withResolvers<'died'>();

      const end = await Promise.race([
        death.promise,
        deliver(
          bodies,
          crashAt(points, () => death.resolve('died')),
        ),
      ]);
      expect(await readTotal(customer)).toBe(sum(await readBooked(orders)));
      const failed = await deliver(bodies);

      expect(failed).toEqual([4]);
      expect(await readBooked(orders)).toEqual([a, b, first]);
      expect(await readTotal(customer)).toBe(123);
      isOver = end !== 'died';
    }
    // The batch takes at least two requests, because both orders with a voucher write to it.
    expect(points).toBeGreaterThan(4);
  });

  test.each([
    ['before its commit', 'before', 0],
    ['after its commit, before the answer', 'after', 2],
    ['after the wrapped function', 'end', 2],
  ])('for real, %s: the copies book what is missing', async (_, moment, left) => {
    const orders = [newOrder(`gil-${moment}`, 100), newOrder(`gil-${moment}`, 20)];
    const bodies = orders.map(toBody);
    const job = { endpoint: table.endpoint, moment, bodies, file: bookOrders };
    const child = spawn(process.execPath, [dyingFunction, JSON.stringify(job)], {
      stdio: 'ignore',
    });

    const [, signal] = await once(child, 'exit');
    const booked = await readBooked(orders);

    expect([signal, booked.length]).toEqual(['SIGKILL', left]);
    expect(await deliver(bodies)).toEqual([]);
    expect(await readBooked(orders)).toEqual(orders);
    expect(await readTotal(`gil-${moment}`)).toBe(120);
  });
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
    const handler = functions.createOrder(newClient());
    const answer = await handler(event as Parameters<typeof handler>[0], makeContext());
    const { statusCode, body } = answer as APIGatewayProxyStructuredResultV2;
    return { statusCode, body: JSON.parse(body ?? '') };
  };
  const booked = (customer: string, key: string, cents: number) => ({
    statusCode: 201,
    body: { id: `${customer}.${key}`, customer, cents },
  });

  test('answers the same key twice with the same 201, and books once', async () => {
    const key = randomUUID();

    const answers = [await post('hal', key, '{"cents":7}'), await post('hal', key, '{"cents":7}')];

    const answer = booked('hal', key, 7);
    expect(answers).toEqual([answer, answer]);
    expect(await readBooked([answer.body])).toEqual([answer.body]);
    expect(await readTotal('hal')).toBe(7);
  });

  test('books an order for each of two callers who send the same key and body', async () => {
    const key = randomUUID();

    const answers = [
      await post('alice', key, '{"cents":7}'),
      await post('bob', key, '{"cents":7}'),
    ];

    expect(answers).toEqual([booked('alice', key, 7), booked('bob', key, 7)]);
    expect([await readTotal('alice'), await readTotal('bob')]).toEqual([7, 7]);
  });

  test.each([
    ['order', '{"cents":70}', {}],
    ['path', '{"cents":7}', { rawPath: '/orders/express' }],
    ['query', '{"cents":7}', { rawQueryString: 'express=true' }],
  ])('answers 422 to the same key with another %s', async (part, text, parts) => {
    const [caller, key] = [`cara-${part}`, randomUUID()];
    await post(caller, key, '{"cents":7}');

    expect(await post(caller, key, text, parts)).toEqual({
      statusCode: 422,
      body: { message: 'another request has this key' },
    });
    expect(await readTotal(caller)).toBe(7);
  });

  test('books for its caller, whomever the body names', async () => {
    const [key, body] = [randomUUID(), '{"id":"dan.1","customer":"dan","cents":7}'];

    expect(await post('eve', key, body)).toEqual(booked('eve', key, 7));
    expect(await readTotal('dan')).toBe(0);
  });

  test.each([
    ['a caller with a delimiter', 'fay.x', 'y'],
    ['a key with a delimiter', 'fay', 'x.y'],
    ['a key with a space', 'fay', 'no key'],
    ['a key that is too long', 'fay', 'k'.repeat(65)],
    ['no caller', '', 'y'],
    ['a claim that is no text', ['fay'] as unknown as string, 'y'],
  ])('answers 400 to %s', async (_, caller, key) => {
    expect(await post(caller, key, '{"customer":"fay","cents":7}')).toMatchObject({
      statusCode: 400,
    });
    expect(await readTotal('fay')).toBe(0);
  });

  test('fails without its authorizer, and books nothing', async () => {
    const parts = { requestContext: { http: { method: 'POST' } } as never };

    await expect(post('gus', 'key', '{"customer":"gus","cents":7}', parts)).rejects.toThrow();
    expect(await readTotal('gus')).toBe(0);
  });

  test('answers a body in base64 too', async () => {
    const body = Buffer.from('{"cents":8}').toString('base64');

    const answer = await post('ida', randomUUID(), body, { isBase64Encoded: true });

    expect(answer.statusCode).toBe(201);
    expect(await readTotal('ida')).toBe(8);
  });

  test('answers 400 without a key, and to an order that is not valid', async () => {
    expect(await post('kim', undefined, '{"cents":7}')).toEqual({
      statusCode: 400,
      body: { message: 'expected the header Idempotency-Key; got none' },
    });
    expect(await post('kim', randomUUID(), '{"cents":-7}')).toMatchObject({
      statusCode: 400,
      body: { message: expect.stringContaining('a whole number from 1') },
    });
    expect(await post('kim', randomUUID(), '{')).toMatchObject({ statusCode: 400 });
    expect(await readTotal('kim')).toBe(0);
  });

  test('answers 409 if the order exists, but its marker does not', async () => {
    const key = randomUUID();
    await table.put({ PK: `ORDER#leo.${key}`, SK: 'ORDER', customer: 'leo', cents: 7 });

    expect(await post('leo', key, '{"cents":7}')).toEqual({
      statusCode: 409,
      body: { message: 'order or voucher is taken' },
    });
    expect(await readTotal('leo')).toBe(0);
  });

  test('books an order once that comes from the queue too', async () => {
    const key = randomUUID();
    const order = { ...newOrder('pia', 7), id: `pia.${key}` };

    await deliver([toBody(order)]);
    const answer = await post('pia', key, '{"cents":7}');

    expect(answer).toEqual({ statusCode: 201, body: order });
    expect(await readTotal('pia')).toBe(7);
  });
});

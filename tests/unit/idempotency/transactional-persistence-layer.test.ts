import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { makeContext } from '../../../evidence/kit/lambda-context.ts';
import {
  type Effects,
  ReceiptMissingError,
  TransactionalPersistenceLayer,
  UnsafeConfigurationError,
} from '../../../lib/idempotency/index.ts';

interface Order {
  id: string;
  customer: string;
}

const effects = ({ customer }: Order): Effects => ({
  marker: { customer },
  increments: [{ key: { PK: customer, SK: 'TOTAL' }, attribute: 'orders', by: 1 }],
});

/** A layer over a DynamoDB that commits everything. */
function makeLayer(orderEffects = effects) {
  const send = vi.fn(async (_command: TransactWriteItemsCommand) => ({}));
  const layer = new TransactionalPersistenceLayer<Order>({
    client: { send } as unknown as DynamoDBClient,
    tableName: 'orders',
    effects: orderEffects,
    markerKey: (idempotencyKey) => ({ PK: idempotencyKey, SK: 'ORDER' }),
  });
  return { layer, send };
}

/** A function that books an order once. */
const makeBooking = (
  layer: TransactionalPersistenceLayer<Order>,
  config = {},
  confirm = (_order: Order) => 'booked',
) =>
  makeIdempotent(async (order: Order, _context: unknown) => confirm(order), {
    persistenceStore: layer,
    keyPrefix: 'ORDER',
    config: new IdempotencyConfig({
      eventKeyJmesPath: 'id',
      throwOnNoIdempotencyKey: true,
      ...config,
    }),
  });

const order: Order = { id: '1', customer: 'ann' };

afterEach(() => {
  vi.unstubAllEnvs();
});

test("a payload's marker has a readable key, and Powertools' expiry and hash", async () => {
  vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ['Date'] });
  const { layer, send } = makeLayer();
  const book = makeBooking(layer, {
    expiresAfterSeconds: 100,
    payloadValidationJmesPath: 'customer',
  });

  const result = await book(order, makeContext());
  vi.useRealTimers();

  expect(result).toBe('booked');
  expect(send.mock.calls[0]?.[0].input.TransactItems?.[0]?.Put?.Item).toEqual({
    PK: { S: 'ORDER#1' },
    SK: { S: 'ORDER' },
    customer: { S: 'ann' },
    ttl: { N: '1800000100' },
    // echo -n '"ann"' | openssl md5 -binary | base64
    validation: { S: '2aIAAw4ap2nXtxZm5gbztA==' },
  });
});

describe('the layer gives a receipt', () => {
  test('for a committed payload', async () => {
    const { layer } = makeLayer();
    const book = makeBooking(layer, {}, (o) => layer.receiptOf(o));

    expect(await book(order, makeContext())).toBe('ORDER#1');
  });

  test('for no other payload, not even an equal one', () => {
    const { layer } = makeLayer();

    expect(() => layer.receiptOf({ ...order })).toThrow(ReceiptMissingError);
  });
});

describe('Powertools cannot bypass the layer', () => {
  test('POWERTOOLS_IDEMPOTENCY_DISABLED is refused at init', () => {
    vi.stubEnv('POWERTOOLS_IDEMPOTENCY_DISABLED', 'true');

    expect(makeLayer).toThrow(UnsafeConfigurationError);
    expect(makeLayer).toThrow('Unset it');
  });

  test('throwOnNoIdempotencyKey: false is refused', async () => {
    const { layer, send } = makeLayer();
    const book = makeBooking(layer, { throwOnNoIdempotencyKey: false });

    await expect(async () => book(order, makeContext())).rejects.toThrow(UnsafeConfigurationError);
    expect(send).not.toHaveBeenCalled();
  });

  test('a payload without a key is refused', async () => {
    const { layer, send } = makeLayer();
    const book = makeBooking(layer);

    await expect(book({ id: '', customer: 'ann' }, makeContext())).rejects.toThrow();
    expect(send).not.toHaveBeenCalled();
  });
});

describe('the effects of a payload', () => {
  test("cannot replace the marker's key or expiry", async () => {
    const { layer, send } = makeLayer(({ customer }) => ({
      marker: { PK: customer, ttl: 1 },
      increments: [],
    }));
    const book = makeBooking(layer);

    await book(order, makeContext());

    const { PK, ttl } = send.mock.calls[0]?.[0].input.TransactItems?.[0]?.Put?.Item ?? {};
    expect(PK).toEqual({ S: 'ORDER#1' });
    expect(Number(ttl?.N)).toBeGreaterThan(Date.now() / 1000);
  });

  test.each([
    ['in its marker', { marker: { customer: undefined as unknown as string }, increments: [] }],
    [
      "in an increment's key",
      {
        marker: {},
        increments: [{ key: { PK: undefined as unknown as string }, attribute: 'n', by: 1 }],
      },
    ],
  ])('fail this payload alone if DynamoDB cannot take a value %s', async (_, broken) => {
    const { layer, send } = makeLayer((o) => (o.id === '2' ? broken : effects(o)));
    const book = makeBooking(layer);

    const results = await Promise.allSettled([
      book(order, makeContext()),
      book({ ...order, id: '2' }, makeContext()),
    ]);

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(send).toHaveBeenCalledOnce();
  });
});

test('payloads of one tick share a transaction', async () => {
  const { layer, send } = makeLayer();
  const book = makeBooking(layer);

  await Promise.all(['1', '2', '3'].map((id) => book({ id, customer: 'ann' }, makeContext())));

  expect(send).toHaveBeenCalledOnce();
  expect(send.mock.calls[0]?.[0].input.TransactItems).toHaveLength(4);
});

test('a payload that the same instance has committed needs no request to DynamoDB', async () => {
  const { layer, send } = makeLayer();
  const book = makeBooking(layer, { useLocalCache: true, responseHook: () => 'known' });

  const results = [await book(order, makeContext()), await book({ ...order }, makeContext())];

  expect(results).toEqual(['booked', 'known']);
  expect(send).toHaveBeenCalledOnce();
});

import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
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

const config = (changes = {}) =>
  new IdempotencyConfig({ eventKeyJmesPath: 'id', throwOnNoIdempotencyKey: true, ...changes });
const order: Order = { id: '1', customer: 'ann' };

afterEach(() => {
  vi.unstubAllEnvs();
});

it("marks a payload under its readable key, with Powertools' expiry and hash", async () => {
  vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ['Date'] });
  const { layer, send } = makeLayer();
  const book = makeIdempotent(async (_order: Order, _context: unknown) => 'booked', {
    persistenceStore: layer,
    keyPrefix: 'ORDER',
    config: config({ expiresAfterSeconds: 100, payloadValidationJmesPath: 'customer' }),
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

describe('nothing is taken for done that the layer has not committed', () => {
  it('a receipt is given for the committed payload', async () => {
    const { layer } = makeLayer();
    const book = makeIdempotent(async (o: Order, _context: unknown) => layer.receiptOf(o), {
      persistenceStore: layer,
      keyPrefix: 'ORDER',
      config: config(),
    });

    expect(await book(order, makeContext())).toBe('ORDER#1');
  });

  it('and for no other', () => {
    const { layer } = makeLayer();

    expect(() => layer.receiptOf({ ...order })).toThrow(ReceiptMissingError);
  });

  it('POWERTOOLS_IDEMPOTENCY_DISABLED is refused at init', () => {
    vi.stubEnv('POWERTOOLS_IDEMPOTENCY_DISABLED', 'true');

    expect(makeLayer).toThrow(UnsafeConfigurationError);
    expect(makeLayer).toThrow('unset it');
  });

  it('a key that need not be found is refused', async () => {
    const { layer, send } = makeLayer();
    const book = makeIdempotent(async (_order: Order, _context: unknown) => 'booked', {
      persistenceStore: layer,
      config: config({ throwOnNoIdempotencyKey: false }),
    });

    await expect(async () => book(order, makeContext())).rejects.toThrow(UnsafeConfigurationError);
    expect(send).not.toHaveBeenCalled();
  });

  it('a payload without a key is refused', async () => {
    const { layer, send } = makeLayer();
    const book = makeIdempotent(async (_order: Order, _context: unknown) => 'booked', {
      persistenceStore: layer,
      config: config(),
    });

    await expect(book({ id: '', customer: 'ann' }, makeContext())).rejects.toThrow();
    expect(send).not.toHaveBeenCalled();
  });

  it("a marker's attributes cannot replace its key", async () => {
    const { layer, send } = makeLayer(({ customer }) => ({
      marker: { PK: customer, ttl: 1 },
      increments: [],
    }));
    const book = makeIdempotent(async (_order: Order, _context: unknown) => 'booked', {
      persistenceStore: layer,
      keyPrefix: 'ORDER',
      config: config(),
    });

    await book(order, makeContext());

    const { PK, ttl } = send.mock.calls[0]?.[0].input.TransactItems?.[0]?.Put?.Item ?? {};
    expect(PK).toEqual({ S: 'ORDER#1' });
    expect(Number(ttl?.N)).toBeGreaterThan(Date.now() / 1000);
  });

  it.each([
    ['in its marker', { marker: { customer: undefined as unknown as string }, increments: [] }],
    [
      "in an increment's key",
      {
        marker: {},
        increments: [{ key: { PK: undefined as unknown as string }, attribute: 'n', by: 1 }],
      },
    ],
  ])('an effect that cannot be written, %s, fails its payload alone', async (_, broken) => {
    const { layer, send } = makeLayer((o) => (o.id === '2' ? broken : effects(o)));
    const book = makeIdempotent(async (_order: Order, _context: unknown) => 'booked', {
      persistenceStore: layer,
      keyPrefix: 'ORDER',
      config: config(),
    });

    const results = await Promise.allSettled([
      book(order, makeContext()),
      book({ ...order, id: '2' }, makeContext()),
    ]);

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(send).toHaveBeenCalledOnce();
  });
});

it('payloads of one tick share a transaction', async () => {
  const { layer, send } = makeLayer();
  const book = makeIdempotent(async (_order: Order, _context: unknown) => 'booked', {
    persistenceStore: layer,
    keyPrefix: 'ORDER',
    config: config(),
  });

  await Promise.all(['1', '2', '3'].map((id) => book({ id, customer: 'ann' }, makeContext())));

  expect(send).toHaveBeenCalledOnce();
  expect(send.mock.calls[0]?.[0].input.TransactItems).toHaveLength(4);
});

it('a payload that the same instance has seen is known without asking DynamoDB', async () => {
  const { layer, send } = makeLayer();
  const book = makeIdempotent(async (_order: Order, _context: unknown) => 'booked', {
    persistenceStore: layer,
    keyPrefix: 'ORDER',
    config: config({ useLocalCache: true, responseHook: () => 'known' }),
  });

  const results = [await book(order, makeContext()), await book({ ...order }, makeContext())];

  expect(results).toEqual(['booked', 'known']);
  expect(send).toHaveBeenCalledOnce();
});

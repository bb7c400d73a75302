import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { TransactionalPersistenceLayer } from 'powertools-idempotency-transactional';
import { expect, test, vi } from 'vitest';

test('an order is stored with its price', async () => {
  vi.useFakeTimers();
  const send = vi.fn(async (_command: TransactWriteItemsCommand) => ({
    ConsumedCapacity: [{ CapacityUnits: 4 }],
  }));
  const config = new IdempotencyConfig({
    eventKeyJmesPath: 'id',
    throwOnNoIdempotencyKey: true,
    payloadValidationJmesPath: 'cents',
    expiresAfterSeconds: 86_400,
  });
  const layer = new TransactionalPersistenceLayer<{ id: string; cents: number }>({
    awsSdkV3Client: { send } as unknown as DynamoDBClient,
    tableName: 'orders',
    config,
    markerTtlSeconds: 86_400,
    effects: ({ id, cents }) => ({ writes: [{ Put: { Item: { id: `ORDER#${id}`, cents } } }] }),
  });
  const bookOnce = makeIdempotent(
    async (order: { id: string; cents: number }, _context: object) => layer.receiptOf(order),
    { persistenceStore: layer, keyPrefix: 'BOOKING', config },
  );

  const receipt = await bookOnce(
    { id: '1', cents: 250 },
    { getRemainingTimeInMillis: () => 10_000 },
  );

  expect(receipt).toBe('BOOKING#1');
  const [, order] = send.mock.calls[0]?.[0].input.TransactItems ?? [];
  expect(order?.Put?.Item).toEqual({ id: { S: 'ORDER#1' }, cents: { N: '250' } });
  vi.useRealTimers();
});

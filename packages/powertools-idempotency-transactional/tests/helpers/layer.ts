import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { IdempotencyConfigOptions } from '@aws-lambda-powertools/idempotency/types';
import {
  createCommitClient,
  type Effects,
  TransactionalPersistenceLayer,
  type TransactionalPersistenceLayerOptions,
} from 'powertools-idempotency-transactional';

export interface Order {
  id: string;
  customer: string;
  cents: number;
}

/** Settings for orders, as the layer requires them. */
export const makeConfig = (options: IdempotencyConfigOptions = {}) =>
  new IdempotencyConfig({
    eventKeyJmesPath: 'id',
    throwOnNoIdempotencyKey: true,
    payloadValidationJmesPath: '[customer, cents]',
    expiresAfterSeconds: 1_000,
    ...options,
  });

/** A layer on the test's table, with the settings that a function needs beside it. */
export function makeLayer<Payload extends object = Order>(
  effects: (payload: Payload) => Effects,
  config = makeConfig(),
  options: Partial<TransactionalPersistenceLayerOptions<Payload>> = {},
) {
  const persistenceStore = new TransactionalPersistenceLayer<Payload>({
    client: createCommitClient(),
    tableName: process.env.TABLE_NAME ?? '',
    config,
    markerTtlSeconds: config.expiresAfterSeconds,
    effects,
    markerKey: (idempotencyKey) => ({ PK: idempotencyKey, SK: 'MARKER' }),
    ...options,
  });
  return { persistenceStore, config };
}

/** A function with such a layer. It runs after the commit, and returns the receipt. */
export function makeBook<Payload extends object = Order>(
  ...settings: Parameters<typeof makeLayer<Payload>>
) {
  const layer = makeLayer(...settings);
  const book = async (payload: Payload, _context: unknown) =>
    layer.persistenceStore.receiptOf(payload);
  return makeIdempotent(book, { ...layer, keyPrefix: 'BOOKING' });
}

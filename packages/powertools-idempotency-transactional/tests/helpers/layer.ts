import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { IdempotencyConfigOptions } from '@aws-lambda-powertools/idempotency/types';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
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

const tableName = () => process.env.TABLE_NAME ?? '';

/** Powertools' own layer on the test's table. */
export const makePowertoolsLayer = (awsSdkV3Client: DynamoDBClient) =>
  new DynamoDBPersistenceLayer({
    tableName: tableName(),
    keyAttr: 'PK',
    sortKeyAttr: 'SK',
    awsSdkV3Client,
  });

/** A layer on the test's table, with the settings that a function needs beside it. */
export function makeLayer<Payload extends object = Order>(
  effects: (payload: Payload) => Effects,
  config = makeConfig(),
  options: Partial<TransactionalPersistenceLayerOptions<Payload>> = {},
) {
  const persistenceStore = new TransactionalPersistenceLayer<Payload>({
    awsSdkV3Client: createCommitClient(),
    tableName: tableName(),
    config,
    markerTtlSeconds: config.expiresAfterSeconds,
    effects,
    keyAttr: 'PK',
    sortKeyAttr: 'SK',
    staticSkValue: 'MARKER',
    expiryAttr: 'ttl',
    ...options,
  });
  return { persistenceStore, config };
}

/** A function with such a layer. It runs after the commit, and returns the stored response. */
export function makeBook<Payload extends object = Order>(
  ...settings: Parameters<typeof makeLayer<Payload>>
) {
  const layer = makeLayer(...settings);
  const book = async (payload: Payload, _context: unknown) =>
    layer.persistenceStore.responseOf(payload);
  return makeIdempotent(book, { ...layer, keyPrefix: 'BOOKING' });
}

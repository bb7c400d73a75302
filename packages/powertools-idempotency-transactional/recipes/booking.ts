import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { Context } from 'aws-lambda';
import {
  addUpDeliverySeconds,
  createCommitClient,
  type Effects,
  TransactionalPersistenceLayer,
} from 'powertools-idempotency-transactional';

export interface Order {
  id: string;
  customer: string;
  cents: number;
}

export class InvalidOrderError extends Error {}

/** Checks what a producer or a client sent, which can be anything. */
export function toOrder(value: unknown): Order {
  const { id, customer, cents } = Object(value);
  const areNames = [id, customer].every(
    (name) => typeof name === 'string' && /^[\w-]{1,64}$/.test(name),
  );
  if (areNames && Number.isSafeInteger(cents)) return { id, customer, cents };
  throw new InvalidOrderError(
    'expected an id and a customer of up to 64 letters, digits, "-" and "_", and whole cents',
  );
}

export function parseOrder(text: string): Order {
  try {
    return toOrder(JSON.parse(text));
  } catch (error) {
    throw new InvalidOrderError('expected an order in JSON', { cause: error });
  }
}

export const effectsOf = ({ customer, cents }: Order): Effects => ({
  increments: [{ key: { PK: `CUSTOMER#${customer}`, SK: 'TOTAL' }, attribute: 'cents', by: cents }],
});

const markerTtlSeconds = addUpDeliverySeconds({
  queueRetentionSeconds: 4 * 24 * 60 * 60,
  deadLetterRetentionSeconds: 14 * 24 * 60 * 60,
});
export const options = {
  awsSdkV3Client: createCommitClient(),
  tableName: process.env.TABLE_NAME ?? '',
  markerTtlSeconds,
  keyAttr: 'PK',
  sortKeyAttr: 'SK',
  staticSkValue: 'MARKER',
  expiryAttr: 'ttl',
};
const config = new IdempotencyConfig({
  eventKeyJmesPath: 'id',
  throwOnNoIdempotencyKey: true,
  payloadValidationJmesPath: '[customer, cents]',
  expiresAfterSeconds: markerTtlSeconds,
});
const layer = new TransactionalPersistenceLayer<Order>({ ...options, config, effects: effectsOf });

export const bookOnce = makeIdempotent(
  async (order: Order, _context: Context) => layer.receiptOf(order),
  { persistenceStore: layer, keyPrefix: 'ORDER', config },
);

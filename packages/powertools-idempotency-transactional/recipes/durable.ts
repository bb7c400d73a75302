import { type DurableContext, withDurableExecution } from '@aws/durable-execution-sdk-js';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { Context } from 'aws-lambda';
import { TransactionalPersistenceLayer } from 'powertools-idempotency-transactional';
import { effectsOf, type Order, options } from './booking.js';

const config = new IdempotencyConfig({
  eventKeyJmesPath: 'id',
  throwOnNoIdempotencyKey: true,
  payloadValidationJmesPath: '[customer, cents]',
  expiresAfterSeconds: options.markerTtlSeconds,
});
const layer = new TransactionalPersistenceLayer<Order>({
  ...options,
  config,
  effects: (order) => ({ ...effectsOf(order), response: { receipt: `R-${order.id}` } }),
});
const bookOnce = makeIdempotent(
  async (order: Order, _context: Context) => layer.responseOf(order),
  { persistenceStore: layer, keyPrefix: 'ORDER', config },
);

export const handler = withDurableExecution(async (order: Order, context: DurableContext) => {
  // The layer identifies a payload by its object, so each attempt needs its own.
  const booked = await context.step('book', () => bookOnce({ ...order }, context.lambdaContext));
  await context.wait({ seconds: 1 });
  return booked;
});

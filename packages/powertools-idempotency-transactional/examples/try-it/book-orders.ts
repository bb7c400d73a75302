import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { parse } from '@aws-lambda-powertools/parser';
import { JSONStringified } from '@aws-lambda-powertools/parser/helpers';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import {
  addUpDeliverySeconds,
  TransactionalPersistenceLayer,
} from 'powertools-idempotency-transactional';
import { z } from 'zod';

// It checks what a producer sent, which can be anything.
const orderSchema = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  customer: z.string().regex(/^[\w-]{1,64}$/),
  cents: z.int(),
});
type Order = z.infer<typeof orderSchema>;

// A marker must outlive every path by which its message can be redelivered.
const markerTtlSeconds = addUpDeliverySeconds({
  queueRetentionSeconds: 4 * 24 * 60 * 60,
  deadLetterRetentionSeconds: 14 * 24 * 60 * 60,
});
const config = new IdempotencyConfig({
  eventKeyJmesPath: 'id',
  throwOnNoIdempotencyKey: true,
  payloadValidationJmesPath: '[customer, cents]',
  expiresAfterSeconds: markerTtlSeconds,
});
const layer = new TransactionalPersistenceLayer<Order>({
  tableName: process.env.TABLE_NAME ?? '',
  keyAttr: 'PK',
  sortKeyAttr: 'SK',
  staticSkValue: 'MARKER',
  expiryAttr: 'ttl',
  config,
  markerTtlSeconds,
  effects: ({ id, customer, cents }) => ({
    writes: [{ Put: { Item: { PK: `ORDER#${id}`, SK: 'ORDER', customer, cents } } }],
    increments: [
      { key: { PK: `CUSTOMER#${customer}`, SK: 'TOTAL' }, attribute: 'cents', by: cents },
    ],
  }),
});

// It runs after the commit, at most once for each order, and fails if nothing was committed.
const bookOnce = makeIdempotent(async (order: Order, _context: Context) => layer.receiptOf(order), {
  persistenceStore: layer,
  keyPrefix: 'ORDER',
  config,
});

const processor = new BatchProcessor(EventType.SQS);

export const handler = (event: SQSEvent, context: Context) =>
  processPartialResponse(
    event,
    ({ body }: SQSRecord) =>
      bookOnce(parse(body, undefined, JSONStringified(orderSchema)), context),
    processor,
    { context },
  );

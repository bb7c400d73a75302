import { IdempotencyConfig } from '@aws-lambda-powertools/idempotency';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as idempotency from 'powertools-idempotency-transactional';
import * as z from 'zod/mini';

const name = z.string().check(z.regex(/^[\w-]{1,64}$/));
const cents = z.int().check(z.minimum(1), z.maximum(100_000_000));
// Over HTTP, an id is `<caller>.<key>`: neither has a dot, so no caller can name another's order.
const id = z.string().check(z.regex(/^[\w-]{1,64}(\.[\w-]{1,64})?$/));
const orderSchema = z.object({ id, customer: name, cents, voucher: z.optional(name) });
const expectedOrder = `JSON with an id, a customer and perhaps a voucher, each of 1 to 64 letters, digits, "-" and "_", and with cents, a whole number from 1 to 100,000,000`;
const seconds = z.coerce.number().check(z.int(), z.positive());
const environmentSchema = z.object({
  TABLE_NAME: z.string().check(z.minLength(1)),
  QUEUE_RETENTION_SECONDS: seconds,
  DEAD_LETTER_RETENTION_SECONDS: seconds,
});

/** What a customer buys. */
export interface Order extends z.infer<typeof orderSchema> {
  /** Method, path and query, if it came over HTTP. They are compared, but not stored. */
  request?: string;
}

/** The order is not valid. The message says what is, and repeats nothing that came. */
export class InvalidOrderError extends Error {
  override name = 'InvalidOrderError';
}

/** @throws {InvalidOrderError} unless the text, with what is known of the order, is one in JSON. */
export function parseOrder(text: string, known: { id?: string; customer?: unknown } = {}): Order {
  try {
    return orderSchema.parse({ ...JSON.parse(text), ...known });
  } catch {
    throw new InvalidOrderError(`expected ${expectedOrder}`);
  }
}

/** All that booking an order writes. The layer commits it with the marker: all of it, or nothing. */
function bookOrder({ request, ...order }: Order): idempotency.Effects {
  const total = { PK: `CUSTOMER#${order.customer}`, SK: 'TOTAL' };
  const isNew = { ConditionExpression: 'attribute_not_exists(PK)' };
  return {
    increments: [{ key: total, attribute: 'cents', by: order.cents }],
    writes: [
      { Put: { Item: { PK: `ORDER#${order.id}`, SK: 'ORDER', ...order }, ...isNew } },
      { Put: { Item: { PK: `OUTBOX#${order.id}`, SK: 'ORDER_BOOKED', ...order } } },
      ...(order.voucher ? [redeem(order.voucher, order.id)] : []),
    ],
    response: { statusCode: 201, body: JSON.stringify(order) },
  };
}

// Of several orders with one voucher, the first to arrive gets it.
function redeem(voucher: string, id: string): idempotency.Write {
  return {
    Update: {
      Key: { PK: `VOUCHER#${voucher}`, SK: 'VOUCHER' },
      UpdateExpression: 'SET redeemedBy = :id',
      ConditionExpression: 'attribute_exists(PK) AND attribute_not_exists(redeemedBy)',
      ExpressionAttributeValues: { ':id': id },
    },
  };
}

/** What both functions pass to Powertools: an order that comes to both is booked once. */
export function createBooking(client: DynamoDBClient) {
  const environment = environmentSchema.parse(process.env);
  const markerTtlSeconds = idempotency.addUpDeliverySeconds({
    queueRetentionSeconds: environment.QUEUE_RETENTION_SECONDS,
    deadLetterRetentionSeconds: environment.DEAD_LETTER_RETENTION_SECONDS,
  });
  const config = new IdempotencyConfig({
    eventKeyJmesPath: 'id',
    throwOnNoIdempotencyKey: true,
    // An order from the queue is a POST /orders, too.
    payloadValidationJmesPath: "[customer, cents, voucher, request || 'POST /orders']",
    expiresAfterSeconds: markerTtlSeconds,
  });
  const persistenceStore = new idempotency.TransactionalPersistenceLayer<Order>({
    awsSdkV3Client: client,
    tableName: environment.TABLE_NAME,
    config,
    markerTtlSeconds,
    effects: bookOrder,
    keyAttr: 'PK',
    sortKeyAttr: 'SK',
    staticSkValue: 'MARKER',
    expiryAttr: 'ttl',
  });
  return { persistenceStore, config, keyPrefix: 'BOOKING' };
}

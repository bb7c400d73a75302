import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { Logger } from '@aws-lambda-powertools/logger';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { createBooking, type Order, parseOrder } from './orders.ts';

/** Books the orders of a batch of messages; SQS brings back those that failed. */
export function createHandler(client: DynamoDBClient) {
  const booking = createBooking(client);
  const logger = new Logger();
  // Runs when the order is booked already; without the layer's receipt, it is not.
  const confirm = async (order: Order, _: Context) => booking.persistenceStore.receiptOf(order);
  const bookOnce = makeIdempotent(confirm, booking);
  return (event: SQSEvent, context: Context) => {
    const bookRecord = async ({ messageId, body }: SQSRecord) => {
      try {
        return await bookOnce(parseOrder(body), context);
      } catch (error) {
        const { cause = error } = error as Error;
        logger.error('order not booked', { messageId, reason: `${cause}` });
        throw error;
      }
    };
    const options = { context, throwOnFullBatchFailure: false };
    return processPartialResponse(event, bookRecord, new BatchProcessor(EventType.SQS), options);
  };
}

export const handler = createHandler(createCommitClient());

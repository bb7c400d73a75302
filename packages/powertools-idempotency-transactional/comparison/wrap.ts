import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { makeHandlerIdempotent } from '@aws-lambda-powertools/idempotency/middleware';
import middy from '@middy/core';
import type { Context, SQSRecord } from 'aws-lambda';
import { makeBatch } from '../../../fixtures/sqs-events.ts';
import type { Order, OrderFunction } from './side.ts';

/** How the author makes the function idempotent. */
export type Wrapper = 'make-idempotent' | 'second-argument' | 'middy';

export type Call = (order: Order, context?: Context) => Promise<unknown>;

/** Makes a function idempotent, as the documentation of Powertools does. */
export function wrap(
  { persistenceStore, config, book }: OrderFunction,
  keyPrefix: string,
  wrapper: Wrapper,
): Call {
  const options = { persistenceStore, config, keyPrefix };
  if (wrapper === 'make-idempotent') return makeIdempotent(book, options);
  if (wrapper === 'middy') {
    const handler = middy(book).use(makeHandlerIdempotent(options));
    return (order, context) => handler(order, context as Context);
  }
  const bookFor = (_customer: string, order: Order) => book(order);
  const once = makeIdempotent(bookFor, { ...options, dataIndexArgument: 1 });
  return (order, context) => {
    if (context) config.registerLambdaContext(context);
    return once(order.customer, order);
  };
}

/** Delivers orders as one batch of SQS, and says how many records the function reports as failed. */
export async function callBatch(call: Call, orders: Order[], context: Context): Promise<string> {
  const { batchItemFailures } = await processPartialResponse(
    makeBatch(orders.map((order) => JSON.stringify(order))),
    async ({ body }: SQSRecord) => call(JSON.parse(body), context),
    new BatchProcessor(EventType.SQS),
    { context, throwOnFullBatchFailure: false },
  );
  return `${batchItemFailures.length} of ${orders.length} reported as failed`;
}

/** An answer as a client would see it. */
export function describeAnswer(answer: unknown): string {
  return answer === undefined ? 'no answer' : JSON.stringify(answer);
}

/** An error's name, with the name of its cause in parentheses. */
export function describeError(error: Error): string {
  const { name, cause } = error;
  return cause instanceof Error ? `${name} (${cause.name})` : name;
}

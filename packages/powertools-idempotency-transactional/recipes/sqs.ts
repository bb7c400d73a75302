import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { bookOnce, parseOrder } from './booking.js';

const processor = new BatchProcessor(EventType.SQS);

export const handler = (event: SQSEvent, context: Context) =>
  processPartialResponse(
    event,
    ({ body }: SQSRecord) => bookOnce(parseOrder(body), context),
    processor,
    { context, throwOnFullBatchFailure: false },
  );

import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, KinesisStreamEvent, KinesisStreamRecord } from 'aws-lambda';
import { bookOnce, parseOrder } from './booking.js';

const processor = new BatchProcessor(EventType.KinesisDataStreams);

export const handler = (event: KinesisStreamEvent, context: Context) =>
  processPartialResponse(
    event,
    ({ kinesis }: KinesisStreamRecord) =>
      bookOnce(parseOrder(Buffer.from(kinesis.data, 'base64').toString()), context),
    processor,
    { context, throwOnFullBatchFailure: false },
  );

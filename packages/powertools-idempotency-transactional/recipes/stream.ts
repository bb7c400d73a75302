import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { bookOnce, toOrder } from './booking.js';

const processor = new BatchProcessor(EventType.DynamoDBStreams);

export const handler = (event: DynamoDBStreamEvent, context: Context) =>
  processPartialResponse(
    event,
    async ({ eventName, dynamodb }: DynamoDBRecord) => {
      if (eventName !== 'INSERT') return;
      const image = dynamodb?.NewImage as Record<string, AttributeValue>;
      await bookOnce(toOrder(unmarshall(image)), context);
    },
    processor,
    { context, throwOnFullBatchFailure: false },
  );

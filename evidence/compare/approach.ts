import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { ClickEvent } from '../../lib/hand-rolled/click-event.ts';

/** What an approach is given to handle clicks with. */
export type ApproachTools = {
  client: DynamoDBClient;
  tableName: string;
  /**
   * What a click must cause once: two plain increments, or a charge. `key` is the approach's own
   * idempotency key, for a work that can pass it on.
   */
  work: (click: ClickEvent, key: string) => Promise<void>;
};

/** A Lambda function on the queue; without a response, the whole batch is done. */
export type QueueHandler = (
  event: SQSEvent,
  context: Context,
) => Promise<SQSBatchResponse | undefined>;

/** One call makes one fresh function instance. */
export type CreateHandler = (tools: ApproachTools) => QueueHandler;

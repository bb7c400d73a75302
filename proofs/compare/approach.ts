import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { ClickEvent } from '../../lib/hand-rolled/click-transaction.ts';

/** An approach's tools. */
export interface ApproachTools {
  client: DynamoDBClient;
  tableName: string;
  /** A click's effect, which must happen once: two plain increments. */
  work: (click: ClickEvent) => Promise<void>;
}

/** A Lambda function on the queue. If it returns no response, the whole batch is done. */
export type QueueHandler = (
  event: SQSEvent,
  context: Context,
) => Promise<SQSBatchResponse | undefined>;

/** Each call creates a fresh function instance. */
export type CreateHandler = (tools: ApproachTools) => QueueHandler;

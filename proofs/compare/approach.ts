import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import {
  type ClickEvent,
  clickTransaction,
  isDuplicate,
  readClick,
} from '../../hand-rolled/click-transaction.ts';
import { dayKey, linkKey } from '../../lib/keys.ts';

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

/** Handles one record after another and reports the failed ones, as Lambda's guide shows. */
export async function handleEach(
  event: SQSEvent,
  handle: (record: SQSRecord) => Promise<unknown>,
): Promise<SQSBatchResponse> {
  const batchItemFailures = [];
  for (const record of event.Records) {
    try {
      await handle(record);
    } catch {
      batchItemFailures.push({ itemIdentifier: record.messageId });
    }
  }
  return { batchItemFailures };
}

/** Counts a click in a transaction. Only a failed condition at its marker means duplicate. */
export async function countOnce(
  { client, tableName }: ApproachTools,
  click: ClickEvent,
): Promise<void> {
  try {
    await client.send(clickTransaction(tableName, click));
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}

/** Claims the key of a record for this time, then does the work. */
export function claim(
  sortKey: string,
  ttlSeconds: number,
  keyOf: (record: SQSRecord) => string,
): CreateHandler {
  return (tools) => (event) =>
    handleEach(event, async (record) => {
      const click = readClick(record.body);
      const ttl = Math.floor(Date.now() / 1000) + ttlSeconds;
      const item = { PK: `${sortKey}#${keyOf(record)}`, SK: sortKey, ttl };
      if (await putOnce(tools, item)) await tools.work(click);
    });
}

/** Puts a new item. Returns false if its key is taken. */
export async function putOnce(
  { client, tableName: TableName }: ApproachTools,
  item: object,
): Promise<boolean> {
  const ConditionExpression = 'attribute_not_exists(PK)';
  try {
    await client.send(new PutItemCommand({ TableName, Item: marshall(item), ConditionExpression }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** Returns the work that increments the link's total and the day's count. */
export function createCountWork(client: DynamoDBClient, TableName: string): ApproachTools['work'] {
  const ExpressionAttributeValues = marshall({ ':one': 1 });
  const increment = async (key: object, attribute: string) => {
    await client.send(
      new UpdateItemCommand({
        TableName,
        Key: marshall(key),
        UpdateExpression: 'ADD #attribute :one',
        ExpressionAttributeNames: { '#attribute': attribute },
        ExpressionAttributeValues,
      }),
    );
  };
  return async ({ code, day }: ClickEvent) => {
    await increment(linkKey(code), 'clicks');
    await increment(dayKey(code, day), 'count');
  };
}

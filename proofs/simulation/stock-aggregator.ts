// Origin: the documentation of Powertools, on idempotency with its DynamoDB layer in a batch:
// https://docs.powertools.aws.dev/lambda/typescript/latest/features/idempotency/
import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { clickIncrements } from '../../lib/hand-rolled/click-transaction.ts';
import { type ClickEvent, readClick } from '../../lib/hand-rolled/read-click.ts';

const client = new DynamoDBClient({});
const tableName = process.env.TABLE_NAME ?? '';
const processor = new BatchProcessor(EventType.SQS);
const config = new IdempotencyConfig({ eventKeyJmesPath: 'clickId' });

// Its own table, with the documentation's key: in a shared table with a sort key, all records would
// have the same partition key.
const persistenceStore = new DynamoDBPersistenceLayer({ tableName: 'IdempotencyTable' });

// A transaction, because a crash could come between two plain updates.
const count = async (click: ClickEvent): Promise<void> => {
  const TransactItems = clickIncrements(tableName, click);
  await client.send(new TransactWriteItemsCommand({ TransactItems }));
};
const countOnce = makeIdempotent(count, { persistenceStore, config });
const countRecord = ({ body }: SQSRecord) => countOnce(readClick(body));

/** Counts a batch's messages concurrently, each in its own transaction. */
export const handler = (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
  config.registerLambdaContext(context);
  return processPartialResponse(event, countRecord, processor, { context });
};

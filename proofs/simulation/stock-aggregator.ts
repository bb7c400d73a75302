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

// A table of its own, with the key that the documentation gives it: with the sort key of a shared
// table, all records would have one partition key.
const persistenceStore = new DynamoDBPersistenceLayer({ tableName: 'IdempotencyTable' });

// A transaction, because of two plain updates a crash can leave one.
const count = async (click: ClickEvent): Promise<void> => {
  const TransactItems = clickIncrements(tableName, click);
  await client.send(new TransactWriteItemsCommand({ TransactItems }));
};
const countOnce = makeIdempotent(count, { persistenceStore, config });
const countRecord = ({ body }: SQSRecord) => countOnce(readClick(body));

/** Counts the messages of a batch concurrently, each in a transaction of its own. */
export const handler = (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
  config.registerLambdaContext(context);
  return processPartialResponse(event, countRecord, processor, { context });
};

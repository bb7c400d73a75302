// Origin: https://www.tech-reader.blog/2025/10/when-atomicity-meets-idempotency.html ("one transaction and one decorator").
import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { clickTransaction, isDuplicate } from '../../../lib/hand-rolled/click-transaction.ts';
import { type ClickEvent, readClick } from '../../../lib/hand-rolled/read-click.ts';
import type { CreateHandler } from '../approach.ts';

/** Wraps the transaction in stock idempotency, keyed by the producer's click id. */
export const createHandler: CreateHandler = ({ client, tableName }) => {
  const processor = new BatchProcessor(EventType.SQS);
  const persistenceStore = new DynamoDBPersistenceLayer({
    tableName,
    keyAttr: 'PK',
    sortKeyAttr: 'SK',
    expiryAttr: 'ttl',
    awsSdkV3Client: client,
  });
  const config = new IdempotencyConfig({ eventKeyJmesPath: 'clickId' });
  const count = async (click: ClickEvent) => {
    try {
      await client.send(clickTransaction(tableName, click));
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  };
  const countOnce = makeIdempotent(count, { persistenceStore, config });
  const handleRecord = (record: SQSRecord) => countOnce(readClick(record.body));
  return (event, context) => {
    config.registerLambdaContext(context);
    return processPartialResponse(event, handleRecord, processor, {
      context,
      throwOnFullBatchFailure: false,
    });
  };
};

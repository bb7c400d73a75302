import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { type ClickEvent, readClick } from '../../hand-rolled/click-transaction.ts';
import type { ApproachTools, QueueHandler } from './approach.ts';

/** Wraps a click's work in stock idempotency, keyed by the producer's click id. */
export function wrapInIdempotency(
  { client, tableName }: ApproachTools,
  work: (click: ClickEvent) => Promise<void>,
): QueueHandler {
  const processor = new BatchProcessor(EventType.SQS);
  const persistenceStore = new DynamoDBPersistenceLayer({
    tableName,
    keyAttr: 'PK',
    sortKeyAttr: 'SK',
    expiryAttr: 'ttl',
    awsSdkV3Client: client,
  });
  const config = new IdempotencyConfig({ eventKeyJmesPath: 'clickId' });
  const workOnce = makeIdempotent(work, { persistenceStore, config });
  const handleRecord = (record: SQSRecord) => workOnce(readClick(record.body));
  return (event, context) => {
    config.registerLambdaContext(context);
    return processPartialResponse(event, handleRecord, processor, {
      context,
      throwOnFullBatchFailure: false,
    });
  };
}

import { BatchProcessor, EventType } from '@aws-lambda-powertools/batch';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type Click, clickEffects, parseClick } from '../lib/clicks/click.ts';
import { reportBatch, reportFailure } from '../lib/clicks/report.ts';
import { readAggregatorConfig } from '../lib/config.ts';
import { createCommitClient, TransactionalPersistenceLayer } from '../lib/idempotency/index.ts';
import { clickKeyPrefix, clickMarkerKey } from '../lib/keys.ts';
import { traceClient, withPowertools } from '../lib/telemetry/powertools.ts';

/** Counts the clicks of a batch, each once; what could not be counted is delivered again. */
export function createHandler(client: DynamoDBClient) {
  const { tableName, maxReceiveCount, markerTtlSeconds } = readAggregatorConfig();
  const processor = new BatchProcessor(EventType.SQS);
  const layer = new TransactionalPersistenceLayer<Click>({
    client,
    tableName,
    effects: clickEffects,
    markerKey: clickMarkerKey,
  });

  // The layer has counted the click before this runs; without its receipt, nothing was counted.
  const confirm = async (click: Click, _context: Context) => {
    layer.receiptOf(click);
    return 'counted';
  };

  const countOnce = makeIdempotent(confirm, {
    persistenceStore: layer,
    keyPrefix: clickKeyPrefix,
    config: new IdempotencyConfig({
      eventKeyJmesPath: 'id',
      throwOnNoIdempotencyKey: true,
      payloadValidationJmesPath: '[code, day]',
      expiresAfterSeconds: markerTtlSeconds,
      useLocalCache: true,
      responseHook: () => 'duplicate',
    }),
  });

  const countRecord = async (record: SQSRecord, context: Context) => {
    try {
      return await countOnce(parseClick(record.body), context);
    } catch (error) {
      reportFailure(record, error, maxReceiveCount);
      throw error;
    }
  };

  return withPowertools(async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    processor.register(event.Records, countRecord, { context, throwOnFullBatchFailure: false });
    reportBatch(await processor.process(), maxReceiveCount);
    return processor.response();
  });
}

export const handler = createHandler(traceClient(createCommitClient()));

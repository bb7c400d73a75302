import { BatchProcessor, EventType } from '@aws-lambda-powertools/batch';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import {
  createCommitClient,
  TransactionalPersistenceLayer,
} from 'powertools-idempotency-transactional';
import { readAggregatorConfig } from '../lib/clicks/aggregator-config.ts';
import {
  type Click,
  clickEffects,
  clickMarkerAttributes,
  clickValidation,
  parseClick,
} from '../lib/clicks/click.ts';
import { clickSlot } from '../lib/clicks/placed-id.ts';
import { checkRecord, readRecords } from '../lib/clicks/records.ts';
import { reportBatch, reportFailure } from '../lib/clicks/report.ts';
import { clickKeyPrefix, clickMarkerKey } from '../lib/keys.ts';
import { traceClient, withPowertools } from '../lib/telemetry/powertools.ts';

/**
 * Counts each click of a batch once, as long as its marker exists. Packs clicks into transactions,
 * each of which commits its clicks' markers and increments. SQS redelivers failed messages and,
 * after the last attempt, moves them to the dead-letter queue.
 */
export function createHandler(client: DynamoDBClient) {
  const { tableName, maxReceiveCount, markerTtlSeconds } = readAggregatorConfig();
  const processor = new BatchProcessor(EventType.SQS);

  const config = new IdempotencyConfig({
    eventKeyJmesPath: 'id',
    throwOnNoIdempotencyKey: true,
    // A click id reused for another code or day is an error, not a duplicate.
    payloadValidationJmesPath: clickValidation,
    expiresAfterSeconds: markerTtlSeconds,
    useLocalCache: true,
    responseHook: () => 'duplicate',
  });

  // Powertools asks this layer to save a record. Saving it commits the click.
  const layer = new TransactionalPersistenceLayer<Click>({
    client,
    tableName,
    config,
    markerTtlSeconds,
    effects: clickEffects,
    markerKey: clickMarkerKey,
    markerAttributes: clickMarkerAttributes,
    slot: clickSlot,
  });

  // Runs after the commit. Asking for the receipt fails if the layer didn't commit the click.
  const confirm = async (click: Click, _context: Context) => {
    layer.receiptOf(click);
    return 'counted';
  };

  const countOnce = makeIdempotent(confirm, {
    persistenceStore: layer,
    keyPrefix: clickKeyPrefix,
    config,
  });

  const countRecord = async (record: SQSRecord, context: Context) => {
    try {
      checkRecord(record);
      return await countOnce(parseClick(record.body), context);
    } catch (error) {
      reportFailure(record, error, maxReceiveCount);
      throw error;
    }
  };

  return withPowertools(async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    processor.register(readRecords(event), countRecord, {
      context,
      throwOnFullBatchFailure: false,
    });
    reportBatch(await processor.process(), maxReceiveCount);
    return processor.response();
  });
}

export const handler = createHandler(traceClient(createCommitClient()));

import { BatchProcessor, EventType } from '@aws-lambda-powertools/batch';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import {
  ConditionFailedError,
  createCommitClient,
  TransactionalPersistenceLayer,
} from 'powertools-idempotency-transactional';
import { readAggregatorConfig } from '../lib/clicks/aggregator-config.ts';
import { replaceByOther } from '../lib/clicks/campaigns.ts';
import {
  type Click,
  clickEffects,
  clickMarkerAttributes,
  clickValidation,
  readClick,
} from '../lib/clicks/click.ts';
import { createLetterSender, createRecordCounter } from '../lib/clicks/count-record.ts';
import { causeOf } from '../lib/clicks/failure.ts';
import { clickSlot } from '../lib/clicks/placed-id.ts';
import { readRecords } from '../lib/clicks/records.ts';
import { BatchReport } from '../lib/clicks/report.ts';
import { httpUrl, readEnv } from '../lib/config.ts';
import { clickKeyPrefix, clickMarkerSortKey } from '../lib/keys.ts';
import { traceClient, withPowertools } from '../lib/telemetry/powertools.ts';

/**
 * Counts each click of a batch once, as long as its marker exists. Packs clicks into transactions,
 * each of which commits its clicks' markers and increments. SQS redelivers failed messages and,
 * after the last attempt, moves them to the dead-letter queue.
 */
export function createHandler(client: DynamoDBClient) {
  const { tableName, maxReceiveCount, markerTtlSeconds } = readAggregatorConfig();
  const { CLICK_DLQ_URL } = readEnv({ CLICK_DLQ_URL: httpUrl });
  const sendLetters = createLetterSender(CLICK_DLQ_URL);
  const processor = new BatchProcessor(EventType.SQS);

  const config = new IdempotencyConfig({
    eventKeyJmesPath: 'id',
    throwOnNoIdempotencyKey: true,
    // A click id reused for another code or day is an error, not a duplicate.
    payloadValidationJmesPath: clickValidation,
    expiresAfterSeconds: markerTtlSeconds,
    useLocalCache: true,
    responseHook: () => 'duplicate' as const,
  });

  // Powertools asks this layer to save a record. Saving it commits the click.
  const layer = new TransactionalPersistenceLayer<Click>({
    awsSdkV3Client: client,
    tableName,
    keyAttr: 'PK',
    sortKeyAttr: 'SK',
    staticSkValue: clickMarkerSortKey,
    expiryAttr: 'ttl',
    config,
    markerTtlSeconds,
    effects: clickEffects,
    markerAttributes: clickMarkerAttributes,
    slot: clickSlot,
  });

  // Runs after the commit. Asking for the receipt fails if the layer didn't commit the click.
  const confirm = async (click: Click, _context: Context) => {
    layer.receiptOf(click);
    return 'counted' as const;
  };

  const countOnce = makeIdempotent(confirm, {
    persistenceStore: layer,
    keyPrefix: clickKeyPrefix,
    config,
  });

  // Values for which a link's day has no room count as other. Each attempt replaces at least one, so it
  // ends.
  const count = async (click: Click, context: Context): Promise<'counted' | 'duplicate'> => {
    try {
      return await countOnce(click, context);
    } catch (error) {
      const cause = causeOf(error);
      const refused = cause instanceof ConditionFailedError ? cause.attributes : [];
      if (!click.campaigns || refused.length === 0) throw error;
      return count({ ...click, campaigns: replaceByOther(click.campaigns, refused) }, context);
    }
  };

  return withPowertools(async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const report = new BatchReport(maxReceiveCount);
    const countEvent = async (click: unknown) => count(readClick(click), context);
    const countRecord = createRecordCounter({ countEvent, sendLetters, maxReceiveCount, report });
    processor.register(readRecords(event), countRecord, { throwOnFullBatchFailure: false });
    await processor.process();
    report.publish();
    return processor.response();
  });
}

export const handler = createHandler(traceClient(createCommitClient()));

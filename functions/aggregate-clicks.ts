import { BatchProcessor, EventType } from '@aws-lambda-powertools/batch';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import {
  createCommitClient,
  TransactionalPersistenceLayer,
} from 'powertools-idempotency-transactional';
import { readAggregatorConfig } from '../lib/clicks/aggregator-config.ts';
import { CampaignValues } from '../lib/clicks/campaign-values.ts';
import {
  clickEffects,
  clickMarkerAttributes,
  clickValidation,
  type NumberedClick,
  readClick,
} from '../lib/clicks/click.ts';
import { createLetterSender, createRecordCounter } from '../lib/clicks/count-record.ts';
import { clickSlot } from '../lib/clicks/placed-id.ts';
import { readRecords } from '../lib/clicks/records.ts';
import { BatchReport } from '../lib/clicks/report.ts';
import { httpUrl, readEnv } from '../lib/config.ts';
import { clickKeyPrefix, clickMarkerKey } from '../lib/keys.ts';
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
  const documentClient = DynamoDBDocumentClient.from(client);
  const campaigns = new CampaignValues({ client: documentClient, baseClient: client, tableName });
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
  const layer = new TransactionalPersistenceLayer<NumberedClick>({
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
  const confirm = async (click: NumberedClick, _context: Context) => {
    layer.receiptOf(click);
    return 'counted' as const;
  };

  const countOnce = makeIdempotent(confirm, {
    persistenceStore: layer,
    keyPrefix: clickKeyPrefix,
    config,
  });

  return withPowertools(async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const report = new BatchReport(maxReceiveCount);
    const countEvent = async (click: unknown) =>
      countOnce(await campaigns.number(readClick(click)), context);
    const countRecord = createRecordCounter({ countEvent, sendLetters, maxReceiveCount, report });
    processor.register(readRecords(event), countRecord, { throwOnFullBatchFailure: false });
    await processor.process();
    report.publish();
    return processor.response();
  });
}

export const handler = createHandler(traceClient(createCommitClient()));

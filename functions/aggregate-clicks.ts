import { BatchProcessor, EventType } from '@aws-lambda-powertools/batch';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Context, SQSBatchItemFailure, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import {
  createCommitClient,
  TransactionalPersistenceLayer,
} from 'powertools-idempotency-transactional';
import { readAggregatorConfig } from '../lib/clicks/aggregator-config.ts';
import { BatchParts } from '../lib/clicks/batch-parts.ts';
import { CampaignValues } from '../lib/clicks/campaign-values.ts';
import {
  clickEffects,
  clickMarkerAttributes,
  clickValidation,
  type NumberedClick,
  readClick,
} from '../lib/clicks/click.ts';
import { createRecordCounter } from '../lib/clicks/count-record.ts';
import { createDeadLetterSender } from '../lib/clicks/dead-letters.ts';
import { clickSlot } from '../lib/clicks/placed-id.ts';
import { openRecord, readRecords } from '../lib/clicks/records.ts';
import { BatchReport } from '../lib/clicks/report.ts';
import { VisitorUnion } from '../lib/clicks/visitor-union.ts';
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
  const sendDeadLetters = createDeadLetterSender(CLICK_DLQ_URL);
  const documentClient = DynamoDBDocumentClient.from(client);
  const campaigns = new CampaignValues({ client: documentClient, baseClient: client, tableName });
  const visitors = new VisitorUnion({ client: documentClient, tableName });
  const processor = new BatchProcessor(EventType.SQS);
  const parts = new BatchParts();

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
    const countEvent = async (clickEvent: unknown) => {
      const click = readClick(clickEvent);
      // The other half of the time is for the commit.
      const deadlineMs = Date.now() + context.getRemainingTimeInMillis() / 2;
      const outcome = await countOnce(await campaigns.numberValues(click, deadlineMs), context);
      // Also for a duplicate: an earlier attempt may have stopped here.
      await visitors.add(click, Date.now() + context.getRemainingTimeInMillis() / 2);
      return outcome;
    };
    const options = { countEvent, sendDeadLetters, maxReceiveCount, report };
    const countRecord = createRecordCounter(options);
    const batchItemFailures: SQSBatchItemFailure[] = [];
    const records = readRecords(event).map(openRecord);
    const notStarted = await parts.count(records, context, async (part) => {
      processor.register(part, countRecord, { throwOnFullBatchFailure: false });
      await processor.process();
      batchItemFailures.push(...processor.response().batchItemFailures);
    });
    for (const record of notStarted) {
      report.addNotStarted(record);
      batchItemFailures.push({ itemIdentifier: record.messageId });
    }
    report.publish();
    return { batchItemFailures };
  });
}

export const handler = createHandler(traceClient(createCommitClient()));

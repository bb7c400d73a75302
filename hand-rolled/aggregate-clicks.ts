import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { readAggregatorConfig } from '../lib/clicks/aggregator-config.ts';
import { BatchReport } from '../lib/clicks/report.ts';
import { traceClient, withPowertools } from '../lib/telemetry/powertools.ts';
import { createCounter } from './click-transaction.ts';

/**
 * A hand-rolled aggregator with the same logs and metrics as the service's own, so one dashboard
 * compares the two. `--param aggregator=hand-rolled` deploys it to any stage except prod. It doesn't
 * open envelopes, so they become dead letters.
 */
export function createHandler(client: DynamoDBClient) {
  const { tableName, maxReceiveCount } = readAggregatorConfig();
  const count = createCounter({ client, tableName });

  return withPowertools(async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const report = new BatchReport(maxReceiveCount);
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
    for (const record of event.Records) {
      try {
        report.addSuccess(await count(record));
      } catch (error) {
        report.addFailure(record, error);
        batchItemFailures.push({ itemIdentifier: record.messageId });
      }
    }
    report.publish();
    return { batchItemFailures };
  });
}

export const handler = createHandler(traceClient(new DynamoDBClient({})));

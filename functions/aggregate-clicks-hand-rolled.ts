import type { FailureResponse, SuccessResponse } from '@aws-lambda-powertools/batch/types';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { readAggregatorConfig } from '../lib/clicks/aggregator-config.ts';
import { reportBatch, reportFailure } from '../lib/clicks/report.ts';
import { createCounter } from '../lib/hand-rolled/click-transaction.ts';
import { traceClient, withPowertools } from '../lib/telemetry/powertools.ts';

/**
 * A hand-rolled aggregator with the same logs and metrics as the service's own, so one dashboard
 * compares the two. `--param aggregator=hand-rolled` deploys it to any stage except prod.
 */
export function createHandler(client: DynamoDBClient) {
  const { tableName, maxReceiveCount } = readAggregatorConfig();
  const count = createCounter({ client, tableName });

  const countRecord = async (record: SQSRecord): Promise<SuccessResponse | FailureResponse> => {
    try {
      return ['success', await count(record), record];
    } catch (error) {
      reportFailure(record, error, maxReceiveCount);
      return ['fail', String(error), record];
    }
  };

  return withPowertools(async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const results: (SuccessResponse | FailureResponse)[] = [];
    for (const record of event.Records) results.push(await countRecord(record));
    reportBatch(results, maxReceiveCount);
    const failed = event.Records.filter((_, index) => results[index]?.[0] === 'fail');
    return {
      batchItemFailures: failed.map(({ messageId: itemIdentifier }) => ({ itemIdentifier })),
    };
  });
}

export const handler = createHandler(traceClient(new DynamoDBClient({})));

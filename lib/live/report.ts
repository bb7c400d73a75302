import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { DynamoDBRecord } from 'aws-lambda';
import { logger, metrics } from '../telemetry/powertools.ts';

/** Logs why a record of the table's stream could not be read, and counts it. */
export function reportUnreadable({ eventID, dynamodb }: DynamoDBRecord, error: unknown): void {
  logger.error('record not read', {
    eventId: eventID,
    sequenceNumber: dynamodb?.SequenceNumber,
    detail: (error as Error).message,
  });
  metrics.addMetric('UnreadableRecords', MetricUnit.Count, 1);
}

import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { DynamoDBRecord } from 'aws-lambda';
import { codeSchema, linkKey } from '../keys.ts';
import { logger, metrics } from '../telemetry/powertools.ts';

const { PK: linkPrefix } = linkKey('');

/** Logs why a record of the table's stream could not be read, and counts it. */
export function reportUnreadable({ eventID, dynamodb }: DynamoDBRecord, error: unknown): void {
  logger.error('record not read', {
    code: codeSchema.safeParse(dynamodb?.Keys?.PK?.S?.slice(linkPrefix.length)).data,
    eventId: eventID,
    sequenceNumber: dynamodb?.SequenceNumber,
    detail: (error as Error).message,
  });
  metrics.addMetric('UnreadableRecords', MetricUnit.Count, 1);
}

/** Counts a connection that was refused: without a valid token, or beyond its user's limit. */
export function reportRefusedConnection(): void {
  metrics.addMetric('RefusedConnections', MetricUnit.Count, 1);
}

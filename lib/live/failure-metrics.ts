import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { DynamoDBRecord } from 'aws-lambda';
import { linkKey } from '../keys.ts';
import { codeSchema } from '../links/code-schema.ts';
import { logger, metrics } from '../telemetry/powertools.ts';

const { PK: linkPrefix } = linkKey('');

/** Logs and counts a record of the table's stream that couldn't be read. */
export function reportUnreadable({ eventID, dynamodb }: DynamoDBRecord, error: unknown): void {
  logger.error('record not read', {
    code: codeSchema.safeParse(dynamodb?.Keys?.PK?.S?.slice(linkPrefix.length)).data,
    eventId: eventID,
    sequenceNumber: dynamodb?.SequenceNumber,
    detail: (error as Error).message,
  });
  metrics.addMetric('UnreadableRecords', MetricUnit.Count, 1);
}

/** Counts a connection that was refused for its token or for its user's limit. */
export function reportRefusedConnection(): void {
  metrics.addMetric('RefusedConnections', MetricUnit.Count, 1);
}

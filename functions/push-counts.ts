import { BatchProcessor, EventType } from '@aws-lambda-powertools/batch';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { table } from '../lib/dynamodb/table.ts';
import { type Change, collectCounts, readChange, reportUnreadable } from '../lib/live/changes.ts';
import { createPush, type PushTarget } from '../lib/live/push.ts';
import { createConnectionsApi } from '../lib/live/web-socket.ts';
import { withPowertools } from '../lib/telemetry/powertools.ts';

/**
 * Pushes changed numbers from ClickTable's stream to the connections that watch them. Lambda
 * retries unreadable records for up to a minute.
 */
export function createHandler(target: PushTarget) {
  const processor = new BatchProcessor(EventType.DynamoDBStreams);
  const push = createPush(target);

  const readRecord = async (record: DynamoDBRecord): Promise<Change> => {
    try {
      return readChange(record);
    } catch (error) {
      reportUnreadable(record, error);
      throw error;
    }
  };

  return withPowertools(async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    processor.register(event.Records, readRecord, { throwOnFullBatchFailure: false });
    const results = await processor.process();
    const changes = results.flatMap(([status, change]) =>
      status === 'success' ? (change as Change) : [],
    );
    await push(collectCounts(changes));
    return processor.response();
  });
}

export const handler = createHandler({
  table,
  connections: createConnectionsApi(),
  now: Date.now,
});

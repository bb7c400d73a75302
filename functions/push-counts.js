import { BatchProcessor, EventType } from '@aws-lambda-powertools/batch';
import { table } from '../lib/dynamodb/table.ts';
import { collectCounts, readChange, reportUnreadable } from '../lib/live/changes.ts';
import { createPush } from '../lib/live/push.ts';
import { createConnectionsApi } from '../lib/live/web-socket.ts';
import { withPowertools } from '../lib/telemetry/powertools.ts';
const processor = new BatchProcessor(EventType.DynamoDBStreams);
const push = createPush({ table, connections: createConnectionsApi() });
/**
 * Pushes changed numbers from ClickTable's stream to the connections that watch them. Lambda
 * retries unreadable records for up to a minute.
 */
export const handler = withPowertools(async (event) => {
    processor.register(event.Records, readRecord, { throwOnFullBatchFailure: false });
    const results = await processor.process();
    const changes = results.flatMap(([status, change]) => status === 'success' ? change : []);
    await push(collectCounts(changes));
    return processor.response();
});
async function readRecord(record) {
    try {
        return readChange(record);
    }
    catch (error) {
        reportUnreadable(record, error);
        throw error;
    }
}

import { table } from '../lib/dynamodb/table.ts';
import { removeConnection } from '../lib/live/connections.ts';
import { withWebSocketApi } from '../lib/live/web-socket.ts';
/** $disconnect: removes a connection and its watches. */
export const handler = withWebSocketApi(async ({ requestContext }) => {
    await removeConnection(table, requestContext.connectionId);
    return { statusCode: 200 };
});

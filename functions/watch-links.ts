import { table } from '../lib/dynamodb/table.ts';
import { answerMessage } from '../lib/live/answer-message.ts';
import { createConnectionsApi } from '../lib/live/connections-api.ts';
import { nowInSeconds, withWebSocketApi } from '../lib/live/web-socket.ts';

const connections = createConnectionsApi();

/** Handles messages from the live page. */
export const handler = withWebSocketApi(async ({ requestContext: { connectionId }, body }) => {
  await answerMessage(table, connections, {
    connectionId,
    text: body ?? '',
    now: nowInSeconds(),
  });
  return { statusCode: 200 };
});

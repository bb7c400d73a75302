import { table } from '../lib/dynamodb/table.ts';
import { answerMessage } from '../lib/live/answer-message.ts';
import { createConnectionsApi, nowInSeconds, withWebSocketApi } from '../lib/live/web-socket.ts';

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

import { table } from '../lib/dynamodb/table.ts';
import { ClientMessageError, parseClientMessage } from '../lib/live/client-messages.ts';
import { type Connection, removeConnection, touchConnection } from '../lib/live/connections.ts';
import type { ServerMessage } from '../lib/live/messages.ts';
import { unwatchLinks, watchLinks } from '../lib/live/watches.ts';
import { createConnectionsApi, nowInSeconds, withWebSocketApi } from '../lib/live/web-socket.ts';

const maxMessagesPerMinute = 60;
const ended = 'The connection has ended. Reconnect with a valid token.';
const tooMany = `expected at most ${maxMessagesPerMinute} messages a minute; got more. Reconnect later.`;
const connections = createConnectionsApi();

/**
 * Handles a message from the live page and answers it over its connection. Closes connections that
 * have ended or send too many messages.
 */
export const handler = withWebSocketApi(async ({ requestContext: { connectionId: id }, body }) => {
  await answerMessage(id, body ?? '');
  return { statusCode: 200 };
});

async function answerMessage(id: string, text: string): Promise<void> {
  const connection = await touchConnection(table, id, nowInSeconds());
  if (!connection) return dismiss(id, ended);
  // One error is enough. Later messages only close the connection.
  const excess = connection.messages - maxMessagesPerMinute;
  if (excess > 0) return dismiss(id, excess === 1 ? tooMany : undefined);
  const answer = await performAction({ ...connection, id }, text);
  if (answer === 'ended') return dismiss(id, ended);
  if (answer) await send(id, answer);
}

async function send(id: string, message: ServerMessage): Promise<void> {
  const outcome = await connections.send(id, message);
  if (outcome === 'gone') await removeConnection(table, id);
}

async function dismiss(id: string, reason?: string): Promise<void> {
  if (reason) await send(id, { type: 'error', message: reason });
  await connections.close(id);
}

async function performAction(
  connection: Connection & { id: string },
  text: string,
): Promise<ServerMessage | 'ended' | undefined> {
  try {
    const message = parseClientMessage(text);
    if (message.action === 'ping') return { type: 'pong' };
    const { action, codes } = message;
    if (action === 'unwatch') {
      await unwatchLinks(table, connection.id, codes);
      return undefined;
    }
    return (await watchLinks(table, connection, codes)) ?? 'ended';
  } catch (error) {
    if (!(error instanceof ClientMessageError)) throw error;
    return { type: 'error', message: error.message };
  }
}

import type { TransactionalTable } from '../dynamodb/table.ts';
import { ClientMessageError, parseClientMessage } from './client-messages.ts';
import { type Connection, removeConnection, touchConnection } from './connections.ts';
import type { ServerMessage } from './messages.ts';
import { unwatchLinks, watchLinks } from './watches.ts';
import type { ConnectionsApi } from './web-socket.ts';

const maxMessagesPerMinute = 60;
const ended = 'The connection has ended. Reconnect with a valid token.';
const tooMany = `expected at most ${maxMessagesPerMinute} messages a minute; got more. Reconnect later.`;

interface Received {
  connectionId: string;
  text: string;
  /** Epoch seconds. */
  now: number;
}

/**
 * Handles a message from the live page and answers it over its connection. Closes connections that
 * have ended or send too many messages.
 */
export async function answerMessage(
  table: TransactionalTable,
  connections: ConnectionsApi,
  { connectionId, text, now }: Received,
): Promise<void> {
  const send = async (message: ServerMessage) => {
    const outcome = await connections.send(connectionId, message);
    if (outcome === 'gone') await removeConnection(table, connectionId);
  };
  const dismiss = async (reason?: string) => {
    if (reason) await send({ type: 'error', message: reason });
    await connections.close(connectionId);
  };
  const connection = await touchConnection(table, connectionId, now);
  if (!connection) return dismiss(ended);
  // One error is enough. Later messages only close the connection.
  const excess = connection.messages - maxMessagesPerMinute;
  if (excess > 0) return dismiss(excess === 1 ? tooMany : undefined);
  const answer = await findAnswer(table, { ...connection, id: connectionId }, text);
  if (answer === 'ended') return dismiss(ended);
  if (answer) await send(answer);
}

async function findAnswer(
  table: TransactionalTable,
  connection: Connection & { id: string },
  text: string,
): Promise<ServerMessage | 'ended' | undefined> {
  try {
    const message = parseClientMessage(text);
    if (message.action === 'ping') return { type: 'pong' };
    const { action, codes } = message;
    if (action === 'unwatch') return void (await unwatchLinks(table, connection.id, codes));
    return (await watchLinks(table, connection, codes)) ?? 'ended';
  } catch (error) {
    if (!(error instanceof ClientMessageError)) throw error;
    return { type: 'error', message: error.message };
  }
}

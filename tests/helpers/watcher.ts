import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type ServerMessage, serverMessageSchema } from '../../lib/live/messages.ts';

/** Connects to the WebSocket API as the live page does, and checks each message against its schema. */
export async function connectWatcher(url: string, token: string) {
  const socket = new WebSocket(url, ['click-tally', token]);
  const messages: ServerMessage[] = [];
  socket.on('message', (data) => {
    messages.push(serverMessageSchema.parse(JSON.parse(`${data}`)));
  });
  await once(socket, 'open');

  const send = (message: object) => socket.send(JSON.stringify(message));
  /** A link's clicks in the last message about it. */
  const readClicks = (code: string) => {
    const links = messages.flatMap((message): { code: string; clicks?: number }[] =>
      'links' in message ? message.links : [],
    );
    return links.findLast((link) => link.code === code && link.clicks !== undefined)?.clicks;
  };
  let closeCode: number | undefined;
  socket.once('close', (code) => {
    closeCode = code;
  });
  const close = async () => {
    if (socket.readyState === WebSocket.CLOSED) return;
    socket.close();
    await once(socket, 'close');
  };
  return {
    protocol: socket.protocol,
    messages,
    send,
    readClicks,
    closeCode: () => closeCode,
    /** Drops the connection, like a browser that loses its network. */
    terminate: () => socket.terminate(),
    close,
  };
}

import { once } from 'node:events';
import pLimit from 'p-limit';
import { WebSocket } from 'ws';
import { type ServerMessage, serverMessageSchema } from '../../../lib/live/messages.ts';
import type { Sighting } from './delays.ts';

const openedAtOnce = 5;
const openTimeoutMs = 30_000;

interface ConnectionOptions {
  liveUrl: string;
  code: string;
  /** Returns a new access token of the link's owner. */
  issueToken: () => Promise<string>;
}

/** A client that watches the link without a page. */
export interface Connection extends Disposable {
  sightings: Sighting[];
}

/** Opens connections that watch the link, each with its own token. */
export async function openConnections(
  count: number,
  options: ConnectionOptions,
  onOpen: () => void,
): Promise<Connection[]> {
  const limit = pLimit(openedAtOnce);
  const open = async () => {
    const connection = await openConnection(options);
    onOpen();
    return connection;
  };
  return await Promise.all(Array.from({ length: count }, () => limit(open)));
}

async function openConnection({ liveUrl, code, issueToken }: ConnectionOptions) {
  const socket = new WebSocket(liveUrl, ['click-tally', await issueToken()]);
  const sightings: Sighting[] = [];
  const watching = Promise.withResolvers<void>();
  socket.on('message', (data) => {
    const atMs = Date.now();
    const clicks = readClicks(serverMessageSchema.parse(JSON.parse(`${data}`)), code);
    if (clicks === undefined) return;
    sightings.push({ atMs, clicks });
    watching.resolve();
  });
  await once(socket, 'open', { signal: AbortSignal.timeout(openTimeoutMs) });
  socket.on('error', watching.reject);
  socket.on('close', () => watching.reject(new Error('Expected to watch the link; was closed.')));
  socket.send(JSON.stringify({ action: 'watch', codes: [code] }));
  await watching.promise;
  return { sightings, [Symbol.dispose]: () => socket.terminate() };
}

/** The link's total in a message. The first one is in the answer to `watch`. */
function readClicks(message: ServerMessage, code: string): number | undefined {
  if (!('links' in message)) return undefined;
  const links: { code: string; clicks?: number }[] = message.links;
  return links.find((link) => link.code === code)?.clicks;
}

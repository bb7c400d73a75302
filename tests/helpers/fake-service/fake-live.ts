import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ClientMessage } from '../../../lib/live/client-messages.ts';
import type { FakeLinks } from './fake-links.ts';

/** The WebSocket API. */
export function createFakeLive(server: Server, links: FakeLinks) {
  const watched = new Map<WebSocket, Set<string>>();
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'click-tally' });
  server.on('upgrade', (request, socket, head) => {
    const [name, token] = (request.headers['sec-websocket-protocol'] ?? '').split(', ');
    if (name !== 'click-tally' || !token) return socket.destroy();
    sockets.handleUpgrade(request, socket, head, (opened) => accept(opened));
  });
  const accept = (socket: WebSocket) => {
    const codes = new Set<string>();
    watched.set(socket, codes);
    socket.on('close', () => watched.delete(socket));
    socket.on('message', (data) => {
      const message: ClientMessage = JSON.parse(`${data}`);
      const answer = (body: object) => socket.send(JSON.stringify(body));
      if (message.action === 'ping') return answer({ type: 'pong' });
      const known = message.codes.filter(links.has);
      if (message.action === 'unwatch') {
        for (const code of message.codes) codes.delete(code);
        return;
      }
      for (const code of known) codes.add(code);
      const totals = known.map((code) => {
        const { clicks, people, bots } = links.describe(code);
        return { code, clicks, people, bots };
      });
      const refused = message.codes.filter((code) => !links.has(code));
      answer({ type: 'watching', links: totals, refused });
    });
  };
  return {
    watchedCodes: () => [...watched.values()].flatMap((codes) => [...codes]),
    /** Sends a push, without checking it, to the link's watchers. */
    send(push: { code: string }) {
      const text = JSON.stringify({ type: 'counts', links: [push] });
      for (const [socket, codes] of watched) if (codes.has(push.code)) socket.send(text);
    },
    disconnect() {
      for (const socket of watched.keys()) socket.terminate();
    },
    stop() {
      this.disconnect();
      sockets.close();
    },
  };
}

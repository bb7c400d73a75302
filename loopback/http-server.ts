import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { rejectForeignRequests } from './foreign-requests.ts';
import { loopback } from './ports.ts';
import type { Stoppable } from './stoppable.ts';

export interface HttpRequest {
  method?: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface HttpResponse {
  status: number;
  /** Text is CSV. */
  body: object | string;
  headers?: Record<string, string>;
}

export interface RunningServer extends Stoppable {
  url: string;
}

/** Listens on the loopback interface, by default on a free port. `stop` closes open connections. */
export async function listen(server: Server, onPort = 0) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(onPort, loopback);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { url: `http://${loopback}:${port}`, port, stop };
}

/** Serves JSON or CSV to programs on this machine, on a free port. */
export function startHttpServer(answer: (request: HttpRequest) => Promise<HttpResponse>) {
  const server = createServer(async (request, response) => {
    const { method, url: path = '/', headers } = request;
    const received = { method, path, headers, body: await text(request) };
    const { status, body, headers: more } = await answer(received);
    const isText = typeof body === 'string';
    const type = isText ? 'text/csv' : 'application/json';
    response.writeHead(status, { 'content-type': type, ...more });
    response.end(isText ? body : JSON.stringify(body));
  });
  rejectForeignRequests(server);
  return listen(server);
}

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { loopback } from './ports.ts';

export type HttpRequest = { path: string; headers: IncomingHttpHeaders; body: string };
export type HttpResponse = { status: number; body: object };
export type RunningServer = { url: string; stop(): Promise<void> };

/** Serves JSON on a free port of this machine. */
export async function startHttpServer(
  answer: (request: HttpRequest) => Promise<HttpResponse>,
): Promise<RunningServer> {
  const server = createServer(async (request, response) => {
    const { url: path = '/', headers } = request;
    const { status, body } = await answer({ path, headers, body: await text(request) });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, loopback);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://${loopback}:${port}`, stop };
}

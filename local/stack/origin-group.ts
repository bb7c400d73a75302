import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../loopback/http-server.ts';

/** Statuses of the home Region after which CloudFront asks the standby (infra/edge.yml). */
const failoverStatuses = [500, 502, 503, 504];
const decoded = ['content-encoding', 'content-length', 'transfer-encoding'];

interface Origins {
  /** URLs without a path. */
  home: string;
  standby: string;
  /** How long the home Region may take: in infra/edge.yml, four seconds. */
  timeoutMs: number;
}

/**
 * Starts a server that fails over as CloudFront's origin group does: for GET and HEAD, if the home
 * Region answers one of four statuses, or nothing in time.
 */
export function startOriginGroup({ home, standby, timeoutMs }: Origins) {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const mayFailOver = request.method === 'GET' || request.method === 'HEAD';
    const fromHome = await ask(home, request, body, timeoutMs);
    const hasFailed = fromHome === undefined || failoverStatuses.includes(fromHome.status);
    const answer =
      mayFailOver && hasFailed ? await ask(standby, request, body, timeoutMs) : fromHome;
    const headers = new Headers(answer?.headers);
    // fetch() has decoded the body.
    for (const name of decoded) headers.delete(name);
    response.writeHead(answer?.status ?? 504, Object.fromEntries(headers));
    response.end(answer ? Buffer.from(await answer.arrayBuffer()) : undefined);
  });
  return listen(server);
}

/** Undefined if the origin doesn't answer in time. */
async function ask(
  origin: string,
  { url = '/', method, headers: received }: IncomingMessage,
  body: string,
  timeoutMs: number,
): Promise<Response | undefined> {
  const headers = Object.entries(received).flatMap(([name, value]): [string, string][] =>
    name === 'host' || name === 'connection' || value === undefined ? [] : [[name, `${value}`]],
  );
  try {
    return await fetch(new URL(url, origin), {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body !== '' && { body }),
    });
  } catch {
    return undefined;
  }
}

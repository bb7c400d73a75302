import { createServer as createHttpServer, request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { rejectForeignRequests } from '../../loopback/foreign-requests.ts';
import { listen, type RunningServer } from '../../loopback/http-server.ts';

/** How long a request may still be failing that began while the Region was gone. */
const settlingMs = 5_000;

export type Gates<Name extends string> = Awaited<ReturnType<typeof startGates<Name>>>;

/**
 * Puts a gate in front of each server of a Region, also for the Region's own programs. While the Region is
 * gone, its gates break connections and refuse new ones.
 */
export async function startGates<Name extends string>(
  servers: Record<Name, string>,
  cleanup: AsyncDisposableStack,
) {
  const names = Object.keys(servers) as Name[];
  const sockets = new Set<Socket>();
  let isGone = false;
  let backSinceMs = -Infinity;
  const gates = await Promise.all(
    names.map(async (name) => {
      const { hostname, port } = new URL(servers[name]);
      const gate = createServer((from) => {
        if (isGone) return from.destroy();
        sockets.add(from);
        from.once('close', () => sockets.delete(from));
        // A broken connection isn't an error here.
        pipeline(from, connect(Number(port), hostname), from, () => undefined);
      });
      const { url, stop } = await listen(gate);
      cleanup.defer(stop);
      return [name, url] as const;
    }),
  );
  const takeAway = () => {
    isGone = true;
    for (const socket of sockets) socket.destroy();
  };
  const bringBack = () => {
    isGone = false;
    backSinceMs = performance.now();
  };
  /** Whether requests fail because the Region is gone, or was when they began. */
  const isDisturbed = () => isGone || performance.now() - backSinceMs < settlingMs;
  const urls = Object.fromEntries(gates) as Record<Name, string>;
  return { urls, takeAway, bringBack, isGone: () => isGone, isDisturbed };
}

/**
 * Starts a server that sends each request to the endpoint of the Region that it's signed for. The SDK
 * takes only one endpoint for DynamoDB, and replicate-links uses it in two Regions.
 */
export async function startRegionRouter(endpoints: Record<string, string>): Promise<RunningServer> {
  const server = createHttpServer((received, response) => {
    const { method, url: path, headers } = received;
    const [, region = ''] = /Credential=[^/]+\/\d+\/([^/]+)/.exec(`${headers.authorization}`) ?? [];
    const endpoint = endpoints[region];
    if (!endpoint)
      return response.writeHead(400).end(`Expected a signature for one of the Regions.`);
    const sent = request(endpoint, { method, path, headers });
    sent.on('response', (answer) => {
      // A pipeline to a caller that has given up throws.
      if (response.destroyed) return answer.destroy();
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, () => undefined);
    });
    sent.on('error', () => response.destroy());
    pipeline(received, sent, () => undefined);
  });
  rejectForeignRequests(server);
  return await listen(server);
}

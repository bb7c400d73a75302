import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const requestEvents = new Set(['request', 'checkContinue', 'checkExpectation', 'upgrade']);

/**
 * Makes a server reject requests that a website sends through a developer's browser: those with a
 * foreign origin, and those to a hostname that the website points to this machine (DNS rebinding).
 * Commands don't send an origin. The page on `pagePort` may call servers on other ports. Pass
 * `Server.prototype` to protect every server of the process.
 */
export function refuseForeignRequests(server: Pick<Server, 'emit'>, pagePort?: number): void {
  const { emit } = server;
  const guard = function (this: Server, event: string, ...args: [IncomingMessage, Answer]) {
    if (!requestEvents.has(event) || isLocal(args[0], pagePort)) {
      return Reflect.apply(emit, this, [event, ...args]);
    }
    refuse(args[1]);
    return true;
  };
  server.emit = guard as Server['emit'];
}

/** Upgrades are answered on the socket itself. */
type Answer = ServerResponse | Duplex;

function isLocal({ headers: { host = '', origin } }: IncomingMessage, pagePort?: number): boolean {
  if (!localHost.test(host)) return false;
  if (origin === undefined || origin === `http://${host}`) return true;
  const page = URL.parse(origin);
  if (page?.protocol !== 'http:' || page.origin !== origin) return false;
  return localHost.test(page.host) && page.port === `${pagePort}`;
}

function refuse(answer: Answer): void {
  const body = JSON.stringify({
    message: 'The local stack accepts requests only from this machine.',
  });
  const headers = { 'content-type': 'application/json', connection: 'close' };
  if ('writeHead' in answer) answer.writeHead(403, headers).end(body);
  else answer.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
}

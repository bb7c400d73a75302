import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isCode } from '../lib/keys.ts';
import { isReserved } from '../lib/links/rules/reserved-codes.ts';

const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const requestEvents = new Set(['request', 'checkContinue', 'checkExpectation', 'upgrade']);

/**
 * Makes a server reject requests that a website sends through a developer's browser: those with a
 * foreign origin, those to a hostname that the website points to this machine (DNS rebinding), and
 * those without an origin, such as an image's, unless they open a page or visit a link. Commands send
 * neither header. The page on `pagePort` may call servers on other ports. Pass `Server.prototype` to
 * protect every server of the process.
 */
export function rejectForeignRequests(server: Pick<Server, 'emit'>, pagePort?: number): void {
  const { emit } = server;
  const guard = function (this: Server, event: string, ...args: [IncomingMessage, Answer]) {
    if (!requestEvents.has(event) || isLocal(args[0], pagePort)) {
      return Reflect.apply(emit, this, [event, ...args]);
    }
    reject(args[1]);
    return true;
  };
  server.emit = guard as Server['emit'];
}

/** Upgrades are answered on the socket itself. */
type Answer = ServerResponse | Duplex;

function isLocal(request: IncomingMessage, pagePort?: number): boolean {
  const { host = '', origin } = request.headers;
  if (!localHost.test(host)) return false;
  const isApi = host.endsWith(`:${pagePort}`);
  if (origin === undefined) return !isFromOtherPage(request) || (isApi && isVisit(request));
  if (origin === `http://${host}`) return true;
  const page = URL.parse(origin);
  if (page?.protocol !== 'http:' || page.origin !== origin) return false;
  return localHost.test(page.host) && page.port === `${pagePort}`;
}

/** Whether another page's browser sent it, other than to open a page. */
function isFromOtherPage({ headers }: IncomingMessage): boolean {
  const { 'sec-fetch-site': site = 'none', 'sec-fetch-dest': purpose } = headers;
  return !['none', 'same-origin'].includes(`${site}`) && purpose !== 'document';
}

/** Short links are meant for other websites. */
function isVisit({ url = '' }: IncomingMessage): boolean {
  const [code = ''] = url.slice(1).split('?', 1);
  return isCode(code) && !isReserved(code);
}

function reject(answer: Answer): void {
  const body = JSON.stringify({
    message: 'The local stack accepts requests only from this machine.',
  });
  const headers = { 'content-type': 'application/json', connection: 'close' };
  if ('writeHead' in answer) answer.writeHead(403, headers).end(body);
  else answer.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
}

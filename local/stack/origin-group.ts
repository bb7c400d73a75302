import {
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isReserved } from '../../lib/links/rules/reserved-codes.ts';
import { rejectForeignRequests } from '../../loopback/foreign-requests.ts';
import { listen } from '../../loopback/http-server.ts';

/** Statuses of the home Region after which CloudFront asks the standby (infra/edge.yml). */
const failoverStatuses = [500, 502, 503, 504];

/** CloudFront's default. Without one, Node.js would wait for five seconds. */
const defaultTimeoutMs = 30_000;

interface Origins {
  /** URLs without a path. */
  home: string;
  standby: string;
  /** How long the home Region may take if the standby can still answer: in infra/edge.yml, four seconds. */
  timeoutMs: number;
  /** Where the server listens; by default on a free port. */
  port?: number;
}

/**
 * Starts a server that fails over as CloudFront does with the origin group of infra/edge.yml: a link's
 * GET or HEAD goes to the standby if the home Region answers one of four statuses, or nothing in time.
 */
export async function startOriginGroup({ home, standby, timeoutMs, port = 0 }: Origins) {
  const server = createServer(async (received, response) => {
    const body = await buffer(received);
    const mayFailOver = isVisit(received);
    const fromHome = await ask(home, received, body, mayFailOver ? timeoutMs : defaultTimeoutMs);
    if (!mayFailOver || hasAnswered(fromHome)) return respond(response, fromHome);
    // An unread answer would keep its connection.
    fromHome?.destroy();
    respond(response, await ask(standby, received, body, defaultTimeoutMs));
  });
  const running = await listen(server, port);
  rejectForeignRequests(server, running.port);
  return running;
}

/** Whether CloudFront would ask the origin group. Pages and the API have behaviors of their own. */
function isVisit({ method, url = '/' }: IncomingMessage): boolean {
  const [first = ''] = url.slice(1).split(/[/?]/);
  return (method === 'GET' || method === 'HEAD') && first !== '' && !isReserved(first);
}

function hasAnswered(answer: IncomingMessage | undefined): boolean {
  return answer !== undefined && !failoverStatuses.includes(answer.statusCode ?? 0);
}

/** Undefined if the origin breaks the connection or doesn't answer in time. */
function ask(
  origin: string,
  { url: path, method, headers }: IncomingMessage,
  body: Buffer,
  timeout: number,
): Promise<IncomingMessage | undefined> {
  return new Promise((resolve) => {
    const sent = request(origin, { path, method, headers, timeout });
    sent.on('timeout', () => sent.destroy());
    sent.on('response', resolve);
    sent.on('error', () => resolve(undefined));
    sent.end(body);
  });
}

function respond(response: ServerResponse, answer: IncomingMessage | undefined): void {
  if (!answer) {
    response.writeHead(504, { 'content-type': 'text/plain' });
    response.end(`${STATUS_CODES[504]}: no origin answers.`);
    return;
  }
  answer.on('error', () => response.destroy());
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(response);
}

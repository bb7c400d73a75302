import { Server, type ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { refuseForeignRequests } from '../../cli/loopback/foreign-requests.ts';
import { escapeText } from '../../cli/terminal/print.ts';
import { createTokenVerifier, isPermitted, tokenVariables } from './token-verifier.ts';

// The parts of hapi, the server inside serverless-offline, that this file uses.
interface HapiRequest {
  /** In lower case. */
  method: string;
  headers: Record<string, string | undefined>;
  raw: { res: ServerResponse };
}
interface HapiResponse {
  code(status: number): HapiResponse;
  header(name: string, value: string): HapiResponse;
  takeover(): HapiResponse;
}
interface HapiToolkit {
  authenticated(result: { credentials: object }): unknown;
  response(body: object): HapiResponse;
}

// serverless-offline has separate servers for the API, the WebSocket API and invocations, and
// doesn't have an option to reject foreign origins or hosts. Of our code, it loads only this file
// at startup.
refuseForeignRequests(Server.prototype, Number(readVariable('API_PORT')));

// serverless-offline starts an instance of the function for each concurrent request. In a burst it
// would start hundreds, each too slow to meet its timeout, so most requests wait here.
const limitRequests = pLimit(2 * availableParallelism());

const verifyToken = createTokenVerifier({
  issuer: readVariable(tokenVariables.issuer),
  accepted: [tokenVariables.audience, tokenVariables.commandAudience].map(readVariable),
});

// hapi answers HEAD requests with a path's GET route. API Gateway requires a HEAD route.
const headPaths = new Set<string>();

/**
 * serverless-offline calls this function once per route, and calls `authenticate` before each
 * request. Its own JWT authorizer doesn't check a token's signature. This one does, like API
 * Gateway. Routes without an authorizer are public.
 */
function provideAuthentication(
  endpoint: { authorizer?: { scopes?: string[] } },
  functionKey: string,
  method: string,
  path: string,
) {
  const name = `${functionKey} ${method} ${path}`;
  if (method === 'HEAD') headPaths.add(path);
  const authenticate = async (request: HapiRequest, h: HapiToolkit) => {
    if (request.method === 'head' && !headPaths.has(path)) {
      return h.response({ message: 'Not Found' }).code(404).takeover();
    }
    await takeSlot(request.raw.res);
    const { authorizer } = endpoint;
    if (!authorizer) return h.authenticated({ credentials: {} });
    return requireToken(request, h, authorizer.scopes);
  };
  return { name, scheme: name, getAuthenticateFunction: () => ({ authenticate }) };
}

/** Waits for a free slot, and holds it until the response closes. */
function takeSlot(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    limitRequests(() => {
      resolve();
      if (response.closed) return;
      return new Promise<void>((release) => response.once('close', release));
    });
  });
}

async function requireToken(request: HapiRequest, h: HapiToolkit, scopes?: string[]) {
  const token = (request.headers.authorization ?? '').replace(/^Bearer /i, '');
  const credentials = await verifyToken(token).catch((error) => {
    console.log(`Rejected a token: ${escapeText(`${error}`)}`);
  });
  if (!credentials) return reject(h, 401, 'Unauthorized', 'Bearer');
  if (isPermitted(credentials, scopes)) return h.authenticated({ credentials });
  const granted = escapeText(`${credentials.scope}`);
  console.log(`Rejected a token: expected one of the scopes ${scopes}; got ${granted}`);
  const challenge = `Bearer scope="${scopes?.join(' ')}" error="insufficient_scope"`;
  return reject(h, 403, 'Forbidden', challenge);
}

function reject(h: HapiToolkit, status: number, message: string, challenge: string) {
  return h.response({ message }).code(status).header('www-authenticate', challenge).takeover();
}

function readVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`expected the environment variable ${name} to be set; it is empty`);
  return value;
}

// require() returns the export of this name.
export { provideAuthentication as 'module.exports' };

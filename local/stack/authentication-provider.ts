import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import pLimit from 'p-limit';
import { escapeText } from '../../cli/terminal/print.ts';
import { rejectForeignRequests } from '../../loopback/foreign-requests.ts';

// The parts of hapi, the server inside serverless-offline, that this file uses.
interface HapiRequest {
  headers: Record<string, string | undefined>;
  raw: { req: IncomingMessage; res: ServerResponse };
  url: URL;
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
rejectForeignRequests(Server.prototype, Number(readVariable('API_PORT')));

// serverless-offline starts an instance of the function for each concurrent request. In a burst it
// would start hundreds, each too slow to meet its timeout, so most requests wait here.
const limitRequests = pLimit(2 * availableParallelism());

const issuer = readVariable('JWT_ISSUER');
const accepted = ['JWT_AUDIENCE', 'COMMAND_AUDIENCE'].map(readVariable);
const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));

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
  const authenticate = async (request: HapiRequest, h: HapiToolkit) => {
    await takeSlot(request.raw.res);
    keepQuery(request);
    const { authorizer } = endpoint;
    if (!authorizer) return h.authenticated({ credentials: {} });
    return requireToken(request, h, authorizer.scopes);
  };
  return { name, scheme: name, getAuthenticateFunction: () => ({ authenticate }) };
}

/** serverless-offline would encode the query again. API Gateway passes it to functions as it came. */
function keepQuery({ url, raw }: HapiRequest): void {
  const { url: target = '' } = raw.req;
  const query = target.includes('?') ? target.slice(target.indexOf('?') + 1) : '';
  url.searchParams.toString = () => query;
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

/**
 * Checks a token as a JWT authorizer of API Gateway does, and returns its claims. The audiences are
 * compared with `client_id` only if the token doesn't have an `aud`.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
async function verifyToken(token: string): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, keys, { issuer, requiredClaims: ['exp'] });
  const audiences = [payload.aud ?? payload.client_id].flat();
  if (accepted.some((audience) => audiences.includes(audience))) return payload;
  throw new Error(`Expected the audience ${accepted.join(' or ')}; got ${audiences.join(', ')}.`);
}

/**
 * Whether a token has one of a route's scopes, as API Gateway checks it. A route without scopes
 * accepts any valid token.
 */
function isPermitted({ scope }: JWTPayload, scopes: string[] = []): boolean {
  const granted = typeof scope === 'string' ? scope.split(' ') : [];
  return scopes.length === 0 || scopes.some((accepted) => granted.includes(accepted));
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

import type { ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { createGate } from './gate.ts';
import { tokenVariables } from './token-issuer.ts';

// What this file uses of hapi, the server inside serverless-offline.
interface Request {
  headers: Record<string, string | undefined>;
  raw: { res: ServerResponse };
}
interface Response {
  code(status: number): Response;
  header(name: string, value: string): Response;
  takeover(): Response;
}
interface Toolkit {
  authenticated(result: { credentials: object }): unknown;
  response(body: object): Response;
}

// For each request at a time serverless-offline starts an instance of the function. A burst would
// start hundreds side by side, each too slow for its timeout, so most of it waits here.
const turns = createGate(2 * availableParallelism());

const verifyToken = createVerifier(
  process.env[tokenVariables.issuer] ?? '',
  process.env[tokenVariables.audience] ?? '',
);

/**
 * serverless-offline asks this for each route and calls what it gets before each request. Its own
 * JWT authorizer reads a token without checking the signature; this one does what API Gateway does.
 * Routes without an authorizer are public.
 */
function provideAuthentication(
  endpoint: { authorizer?: unknown },
  functionKey: string,
  method: string,
  path: string,
) {
  const name = `${functionKey} ${method} ${path}`;
  const authenticate = async (request: Request, h: Toolkit) => {
    await waitForTurn(request.raw.res);
    return endpoint.authorizer ? requireToken(request, h) : h.authenticated({ credentials: {} });
  };
  return { name, scheme: name, getAuthenticateFunction: () => ({ authenticate }) };
}

/** Takes part in the requests that are worked on, until the response is closed. */
async function waitForTurn(response: ServerResponse): Promise<void> {
  await turns.enter();
  if (response.closed) turns.leave();
  else response.once('close', turns.leave);
}

async function requireToken(request: Request, h: Toolkit) {
  const token = (request.headers.authorization ?? '').replace(/^Bearer /i, '');
  try {
    return h.authenticated({ credentials: await verifyToken(token) });
  } catch (error) {
    console.log(`Refused a token: ${error}`);
    const refusal = h.response({ message: 'Unauthorized' }).code(401);
    return refusal.header('www-authenticate', 'Bearer').takeover();
  }
}

function createVerifier(issuer: string, audience: string) {
  if (!issuer || !audience) {
    throw new Error(`${Object.values(tokenVariables).join(' and ')} must be set.`);
  }
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
  return async (token: string) => (await jwtVerify(token, keys, { issuer, audience })).payload;
}

// The name under which require() finds what an ES module stands for.
export { provideAuthentication as 'module.exports' };

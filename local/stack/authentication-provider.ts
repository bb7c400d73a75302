import type { ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { createTokenVerifier, tokenVariables } from './token-verifier.ts';

// The parts of hapi, the server inside serverless-offline, that this file uses.
interface HapiRequest {
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

// serverless-offline starts an instance of the function for each concurrent request. In a burst it
// would start hundreds, each too slow to meet its timeout, so most requests wait here.
const limitRequests = pLimit(2 * availableParallelism());

const verifyToken = createTokenVerifier({
  issuer: readVariable(tokenVariables.issuer),
  audience: readVariable(tokenVariables.audience),
});

/**
 * serverless-offline calls this function once per route, and calls `authenticate` before each
 * request. Its own JWT authorizer does not check a token's signature; this one does, as API Gateway
 * does. Routes without an authorizer are public.
 */
function provideAuthentication(
  endpoint: { authorizer?: unknown },
  functionKey: string,
  method: string,
  path: string,
) {
  const name = `${functionKey} ${method} ${path}`;
  const authenticate = async (request: HapiRequest, h: HapiToolkit) => {
    await takeSlot(request.raw.res);
    return endpoint.authorizer ? requireToken(request, h) : h.authenticated({ credentials: {} });
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

async function requireToken(request: HapiRequest, h: HapiToolkit) {
  const token = (request.headers.authorization ?? '').replace(/^Bearer /i, '');
  try {
    return h.authenticated({ credentials: await verifyToken(token) });
  } catch (error) {
    console.log(`Rejected a token: ${error}`);
    const rejection = h.response({ message: 'Unauthorized' }).code(401);
    return rejection.header('www-authenticate', 'Bearer').takeover();
  }
}

function readVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}; it is empty.`);
  return value;
}

// require() returns the export of this name.
export { provideAuthentication as 'module.exports' };

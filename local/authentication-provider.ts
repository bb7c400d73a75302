import { createRemoteJWKSet, jwtVerify } from 'jose';
import { TOKEN_VARIABLES } from './token-issuer.ts';

// What this file uses of hapi, the server inside serverless-offline.
type Request = { headers: Record<string, string | undefined> };
type Response = {
  code(status: number): Response;
  header(name: string, value: string): Response;
  takeover(): Response;
};
type Toolkit = {
  authenticated(result: { credentials: object }): unknown;
  response(body: object): Response;
};

const verifyToken = createVerifier(
  process.env[TOKEN_VARIABLES.issuer] ?? '',
  process.env[TOKEN_VARIABLES.audience] ?? '',
);

/**
 * serverless-offline asks this for each route. Its own JWT authorizer reads a token without
 * checking the signature; this one does what API Gateway does. Routes without an authorizer are
 * public.
 */
function provideAuthentication(
  endpoint: { authorizer?: unknown },
  functionKey: string,
  method: string,
  path: string,
) {
  const name = `${functionKey} ${method} ${path}`;
  const authenticate = endpoint.authorizer ? requireToken : letIn;
  return { name, scheme: name, getAuthenticateFunction: () => ({ authenticate }) };
}

function letIn(_request: Request, h: Toolkit) {
  return h.authenticated({ credentials: {} });
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
    throw new Error(`${Object.values(TOKEN_VARIABLES).join(' and ')} must be set.`);
  }
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
  return async (token: string) => (await jwtVerify(token, keys, { issuer, audience })).payload;
}

// The name under which require() finds what an ES module stands for.
export { provideAuthentication as 'module.exports' };

import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';

/** The environment variables that name the issuer and audiences whose tokens the API accepts. */
export const tokenVariables = {
  issuer: 'JWT_ISSUER',
  audience: 'JWT_AUDIENCE',
  commandAudience: 'COMMAND_AUDIENCE',
};

/**
 * Creates a function that checks a token as a JWT authorizer of API Gateway does, and returns its
 * claims. The audiences are compared with `client_id` only if the token doesn't have an `aud`.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
export function createTokenVerifier({ issuer, accepted }: { issuer: string; accepted: string[] }) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
  return async (token: string): Promise<JWTPayload> => {
    const { payload } = await jwtVerify(token, keys, { issuer, requiredClaims: ['exp'] });
    const audiences = [payload.aud ?? payload.client_id].flat();
    if (accepted.some((audience) => audiences.includes(audience))) return payload;
    throw new Error(`Expected the audience ${accepted.join(' or ')}; got ${audiences.join(', ')}.`);
  };
}

/**
 * Whether a token has one of a route's scopes, as API Gateway checks it. A route without scopes
 * accepts any valid token.
 */
export function isPermitted({ scope }: JWTPayload, scopes: string[] = []): boolean {
  const granted = typeof scope === 'string' ? scope.split(' ') : [];
  return scopes.length === 0 || scopes.some((accepted) => granted.includes(accepted));
}

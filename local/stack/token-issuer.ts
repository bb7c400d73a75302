import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { startHttpServer } from '../engines/http-server.ts';
import type { Stoppable } from '../engines/stoppable.ts';

// API Gateway's JWT authorizers accept only RSA signatures.
const algorithm = 'RS256';
const keyId = 'local';
const audience = 'click-tally-local';

/** The environment variables that name the issuer and audience whose tokens the API accepts. */
export const tokenVariables = { issuer: 'JWT_ISSUER', audience: 'JWT_AUDIENCE' };

export interface TokenIssuer extends Stoppable {
  /** The `iss` claim of its tokens, and the URL under which it publishes its keys. */
  issuer: string;
  /** The `aud` claim of its tokens. */
  audience: string;
  /** Signs a token for the audience, valid for a day unless `expiresIn` differs (`2h`, `-1s`). */
  issueToken(options?: { subject?: string; expiresIn?: string }): Promise<string>;
}

/** Starts a token issuer, with fresh keys, in place of the Cognito user pool. */
export async function startTokenIssuer(): Promise<TokenIssuer> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  const jwk = { ...(await exportJWK(publicKey)), kid: keyId, alg: algorithm, use: 'sig' };
  const server = await startHttpServer(async ({ path }) => {
    const issuer = server.url;
    if (path === '/.well-known/openid-configuration') {
      return { status: 200, body: { issuer, jwks_uri: `${issuer}/.well-known/jwks.json` } };
    }
    if (path === '/.well-known/jwks.json') return { status: 200, body: { keys: [jwk] } };
    return { status: 404, body: { message: 'Not Found' } };
  });
  const issueToken = ({ subject = 'local-user', expiresIn = '24h' } = {}) =>
    new SignJWT({ token_use: 'access' })
      .setProtectedHeader({ alg: algorithm, kid: keyId })
      .setIssuer(server.url)
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime(expiresIn)
      .sign(privateKey);
  return { issuer: server.url, audience, issueToken, stop: server.stop };
}

import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { startHttpServer } from '../engines/http-server.ts';

// API Gateway's JWT authorizers take RSA signatures only.
const algorithm = 'RS256';
const keyId = 'local';
const audience = 'click-tally-local';

/** The environment variables that tell the functions' API whose tokens to take. */
export const tokenVariables = { issuer: 'JWT_ISSUER', audience: 'JWT_AUDIENCE' };

export interface TokenIssuer {
  /** The `iss` of its tokens, under which it publishes its keys. */
  issuer: string;
  /** The `aud` of its tokens. */
  audience: string;
  /** A signed token for the audience; valid for a day unless told otherwise (`2h`, `-1s`). */
  issueToken(options?: { subject?: string; expiresIn?: string }): Promise<string>;
  stop(): Promise<void>;
}

/** Starts what the Cognito user pool is on AWS: an issuer with real keys, made anew each time. */
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

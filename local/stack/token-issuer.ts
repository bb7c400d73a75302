import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { startHttpServer } from '../engines/http-server.ts';

// API Gateway's JWT authorizers take RSA signatures only.
const ALGORITHM = 'RS256';
const KEY_ID = 'local';
const AUDIENCE = 'click-tally-local';

/** The environment variables that tell the functions' API whose tokens to take. */
export const TOKEN_VARIABLES = { issuer: 'JWT_ISSUER', audience: 'JWT_AUDIENCE' };

export type TokenIssuer = {
  /** The `iss` of its tokens, under which it publishes its keys. */
  issuer: string;
  /** The `aud` of its tokens. */
  audience: string;
  /** A signed token for the audience; valid for a day unless told otherwise (`2h`, `-1s`). */
  issueToken(options?: { subject?: string; expiresIn?: string }): Promise<string>;
  stop(): Promise<void>;
};

/** Starts what the Cognito user pool is on AWS: an issuer with real keys, made anew each time. */
export async function startTokenIssuer(): Promise<TokenIssuer> {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM);
  const jwk = { ...(await exportJWK(publicKey)), kid: KEY_ID, alg: ALGORITHM, use: 'sig' };
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
      .setProtectedHeader({ alg: ALGORITHM, kid: KEY_ID })
      .setIssuer(server.url)
      .setAudience(AUDIENCE)
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime(expiresIn)
      .sign(privateKey);
  return { issuer: server.url, audience: AUDIENCE, issueToken, stop: server.stop };
}

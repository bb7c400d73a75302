import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { defaultPort } from '../../terminal/stack-file.ts';
import { listen } from '../engines/http-server.ts';
import { loopback } from '../engines/ports.ts';
import type { Stoppable } from '../engines/stoppable.ts';
import { createProvider, fullScope } from './sign-in-provider.ts';
import { type TokenUse, tokenClaims } from './users.ts';

// API Gateway's JWT authorizers accept only RSA signatures.
const algorithm = 'RS256';
const keyId = 'local';
const clientId = 'click-tally-local';

export interface TokenIssuer extends Stoppable {
  /** The `iss` claim of its tokens, and the URL under which it publishes its configuration. */
  issuer: string;
  /** The `aud` claim of its tokens, and the id of the client that the page is. */
  audience: string;
  /** Signs an access token that permits all, valid for a day unless the options differ. */
  issueToken(options?: TokenOptions): Promise<string>;
}

export interface TokenOptions {
  subject?: string;
  /** From now on: `2h`, `-1s`. */
  expiresIn?: string;
  /** An ID token says who somebody is, and permits nothing. */
  use?: TokenUse;
}

export interface IssuerOptions {
  /** The port of the API, whose root is the page to which users return; by default, 3000. */
  apiPort?: number;
  onError?: (error: Error) => void;
}

/** Starts an OpenID provider, with fresh keys, in place of the Cognito user pool and its sign-in. */
export async function startTokenIssuer({
  apiPort = defaultPort,
  onError = () => undefined,
}: IssuerOptions = {}): Promise<TokenIssuer> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: keyId, alg: algorithm, use: 'sig' };
  const server = createServer();
  const { url: issuer, stop } = await listen(server);
  const pages = [loopback, 'localhost'].map((host) => `http://${host}:${apiPort}/`);
  server.on('request', createProvider({ issuer, clientId, key, pages, onError }).callback());
  const grants = { client_id: clientId, scope: fullScope };
  const issueToken = ({
    subject = 'local-user',
    expiresIn = '24h',
    use = 'access',
  }: TokenOptions = {}) =>
    new SignJWT({ ...tokenClaims(subject, use), ...(use === 'access' && grants) })
      .setProtectedHeader({ alg: algorithm, kid: keyId })
      .setIssuer(issuer)
      .setAudience(clientId)
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime(expiresIn)
      .sign(privateKey);
  return { issuer, audience: clientId, issueToken, stop };
}

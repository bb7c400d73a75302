import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { defaultPort } from '../../cli/terminal/running-stack.ts';
import { rejectForeignRequests } from '../../loopback/foreign-requests.ts';
import { listen } from '../../loopback/http-server.ts';
import { loopback } from '../../loopback/ports.ts';
import { createProvider, fullScope } from './sign-in-provider.ts';

// API Gateway's JWT authorizers accept only RSA signatures.
const algorithm = 'RS256';
const keyId = 'local';
/** The clients' ids, which are also the `aud` claims of their tokens. */
const pageClientId = 'click-tally-local';
const commandClientId = 'click-tally-local-command';

export type TokenIssuer = Awaited<ReturnType<typeof startTokenIssuer>>;

interface TokenOptions {
  subject?: string;
  /** The time from now, such as `2h` or `-1s`. */
  expiresIn?: string;
  /** The client id. Defaults to the page's. */
  audience?: string;
  /** An ID token identifies the user and doesn't have scopes. */
  use?: 'access' | 'id';
}

export interface IssuerOptions {
  /** The API's port, which serves the page that users return to. Defaults to 3000. */
  apiPort?: number;
  /** Where a command listens while its user signs in. Defaults to a stage's address. */
  commandCallback?: string;
  onError?: (error: Error) => void;
}

/**
 * Starts an OpenID provider, with fresh keys, in place of the Cognito user pool and its sign-in. Its
 * URL is also the `iss` claim of its tokens.
 */
export async function startTokenIssuer({
  apiPort = defaultPort,
  commandCallback = 'http://127.0.0.1:8250/',
  onError = () => undefined,
}: IssuerOptions = {}) {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: keyId, alg: algorithm, use: 'sig' };
  const server = createServer();
  rejectForeignRequests(server, apiPort);
  const { url: issuer, stop } = await listen(server);
  const pages = [loopback, 'localhost'].map((host) => `http://${host}:${apiPort}/`);
  const clients = { [pageClientId]: pages, [commandClientId]: [commandCallback] };
  server.on('request', createProvider({ issuer, clients, key, onError }).callback());
  /** Signs an access token, by default for the page, with all scopes and valid for a day. */
  const issueToken = ({
    subject = 'local-user',
    expiresIn = '24h',
    use = 'access',
    audience = pageClientId,
  }: TokenOptions = {}) => {
    const grants = use === 'access' && { client_id: audience, scope: fullScope };
    return new SignJWT({ token_use: use, ...grants })
      .setProtectedHeader({ alg: algorithm, kid: keyId })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime(expiresIn)
      .sign(privateKey);
  };
  return { issuer, audience: pageClientId, commandAudience: commandClientId, issueToken, stop };
}

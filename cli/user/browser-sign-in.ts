import { createServer } from 'node:http';
import * as oidc from 'openid-client';
import { listen } from '../../loopback/http-server.ts';
import { formatDuration } from '../duration.ts';
import { CommandError } from '../terminal/command-error.ts';
import { escapeText, print } from '../terminal/print.ts';

const timeoutMs = 5 * 60_000;
const farewell =
  'Return to the terminal to see whether you are signed in. You may close this page.\n';

interface SignInClient {
  issuer: string;
  clientId: string;
  scope: string;
  /** The loopback address that the browser returns to, as registered with the issuer. */
  callback: string;
}

/**
 * Signs a user in on the issuer's own pages, so this command never sees passwords or codes. Uses
 * the code flow with PKCE and a redirect to the loopback interface (RFC 8252). Prints the address
 * to open on stderr, and returns the access token.
 * @throws {CommandError} if the sign-in times out, a different user signs in, the issuer rejects,
 * or the port is in use.
 */
export async function signInByBrowser(client: SignInClient, email: string): Promise<string> {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const expectedState = oidc.randomState();
  try {
    const issuer = await discover(client);
    const address = oidc.buildAuthorizationUrl(issuer, {
      redirect_uri: client.callback,
      scope: client.scope,
      state: expectedState,
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      login_hint: email,
    });
    const answer = await receiveAnswer(new URL(client.callback), expectedState, () =>
      print(
        `Open this address in a browser, and sign in as ${email}:\n${address}\n`,
        process.stderr,
      ),
    );
    const checks = { pkceCodeVerifier, expectedState, idTokenExpected: true };
    const tokens = await oidc.authorizationCodeGrant(issuer, answer, checks);
    requireUser(tokens.claims(), email);
    return tokens.access_token;
  } catch (error) {
    throw toCommandError(error, client, email);
  }
}

function discover({ issuer, clientId }: SignInClient): Promise<oidc.Configuration> {
  const server = new URL(issuer);
  // Only a local issuer answers over plain HTTP, on the loopback interface.
  const isLocal = server.hostname === '127.0.0.1';
  const options = isLocal ? { execute: [oidc.allowInsecureRequests] } : {};
  return oidc.discovery(server, clientId, undefined, oidc.None(), options);
}

/**
 * Listens at the callback until the browser returns with this sign-in's state. Ignores other
 * requests, such as one for an icon.
 */
async function receiveAnswer(callback: URL, state: string, onReady: () => void): Promise<URL> {
  const answer = Promise.withResolvers<URL>();
  const server = createServer(({ url = '/' }, response) => {
    const called = URL.parse(url, callback.href);
    const isAnswer =
      called?.pathname === callback.pathname && called.searchParams.get('state') === state;
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
    response.writeHead(isAnswer ? 200 : 404, headers);
    response.end(isAnswer ? farewell : 'This is not a response to the sign-in.\n', () => {
      if (isAnswer) answer.resolve(new URL(called.search, callback));
    });
  });
  const { stop } = await listen(server, Number(callback.port));
  const timer = setTimeout(() => {
    const line = `Nobody signed in within ${formatDuration(timeoutMs)}. Run the command again.`;
    answer.reject(new CommandError(line));
  }, timeoutMs);
  try {
    onReady();
    return await answer.promise;
  } finally {
    clearTimeout(timer);
    await stop();
  }
}

/** The browser may already be signed in as someone else. */
function requireUser(claims: oidc.IDToken | undefined, email: string): void {
  const actual = claims?.email;
  if (typeof actual !== 'string') {
    throw new CommandError(
      `Expected the issuer to confirm the e-mail address ${email}; it didn't return one.`,
    );
  }
  if (actual.toLowerCase() === email.toLowerCase()) return;
  throw new CommandError(
    `Expected ${email} to sign in; the browser is signed in as ${escapeText(actual)}. Sign out on the live page, or open the address in a private window.`,
  );
}

function toCommandError(error: unknown, { callback, issuer }: SignInClient, email: string) {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    const { port } = new URL(callback);
    return new CommandError(
      `Port ${port} is in use, but the browser must return to it. Stop the program that uses it, and run the command again.`,
    );
  }
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError) {
    const reason = [error.error, error.error_description].filter(Boolean).join(': ');
    return new CommandError(
      `${email} is not signed in: the issuer answered ${escapeText(reason)}.`,
    );
  }
  // If fetch() fails, it throws a TypeError with a cause. Without one, it's a bug.
  const isUnreachable = error instanceof TypeError && error.cause instanceof Error;
  if (isUnreachable || error instanceof oidc.ClientError) {
    const { message } = error.cause instanceof Error ? error.cause : error;
    return new CommandError(`Cannot sign in at ${issuer} (${escapeText(message)}).`);
  }
  return error;
}

import { createHash, randomBytes } from 'node:crypto';
import { createRemoteJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTokenIssuer, type TokenIssuer } from '../../../local/stack/token-issuer.ts';
import { createBrowser } from '../../helpers/http-browser.ts';

const page = 'http://127.0.0.1:3999/';
const users = { ada: 'local-user', grace: 'other-local-user' };

interface Tokens {
  access_token: string;
  id_token: string;
  refresh_token: string;
  error?: string;
}
type Browser = ReturnType<typeof createBrowser>;

let issuer: TokenIssuer;
const onError = vi.fn<(error: Error) => void>();
const output = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name));

beforeEach(async () => {
  issuer = await startTokenIssuer({ apiPort: 3999, onError });
});

afterEach(async () => {
  await issuer.stop();
  expect(onError).not.toHaveBeenCalled();
  for (const write of output) expect(write).not.toHaveBeenCalled();
});

async function discover() {
  const response = await fetch(`${issuer.issuer}/.well-known/openid-configuration`);
  return (await response.json()) as Record<string, string>;
}

/** Begins to sign in, as the page does, and returns where the browser ends up. */
async function authorize(browser: Browser, parameters: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString('base64url');
  const { authorization_endpoint: endpoint } = await discover();
  const query = new URLSearchParams({
    client_id: 'click-tally-local',
    response_type: 'code',
    redirect_uri: page,
    scope: 'openid click-tally/links',
    state: 'any-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  });
  return { ...(await browser.visit(`${endpoint}?${query}`)), verifier };
}

/** Signs in by the button of a user. Only `prompt=login` shows the buttons to every browser. */
async function signIn(browser: Browser, user: string) {
  const { url: signInPage, verifier } = await authorize(browser, { prompt: 'login' });
  const { url } = await browser.submit(`${signInPage}`, { user });
  return { url, verifier };
}

async function signOut(browser: Browser, parameters: Record<string, string>) {
  const { end_session_endpoint: endpoint } = await discover();
  return browser.visit(`${endpoint}?${new URLSearchParams(parameters)}`);
}

async function requestTokens(fields: Record<string, string>, origin = 'http://127.0.0.1:3999') {
  const { token_endpoint: endpoint = '' } = await discover();
  const body = new URLSearchParams({ client_id: 'click-tally-local', ...fields });
  const response = await fetch(endpoint, { method: 'POST', headers: { origin }, body });
  return { response, tokens: (await response.json()) as Tokens };
}

const redeem = ({ url, verifier }: { url: URL; verifier: string }) =>
  requestTokens({
    grant_type: 'authorization_code',
    code: url.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: page,
  });

async function verify(token: string): Promise<JWTPayload> {
  const { jwks_uri: keys = '' } = await discover();
  const options = { issuer: issuer.issuer, audience: 'click-tally-local' };
  return (await jwtVerify(token, createRemoteJWKSet(new URL(keys)), options)).payload;
}

async function findSubject(signedIn: { url: URL; verifier: string }) {
  const { tokens } = await redeem(signedIn);
  return (await verify(tokens.access_token)).sub;
}

describe('the code flow with PKCE', () => {
  test.each([
    ['Ada', users.ada, { 'cognito:groups': ['operators'] }],
    ['Grace', users.grace, {}],
  ])('signs in %s', async (name, sub, groups) => {
    const signedIn = await signIn(createBrowser(), sub);

    const { tokens } = await redeem(signedIn);

    const { iat, exp, jti, ...access } = await verify(tokens.access_token);
    expect(`${signedIn.url.origin}${signedIn.url.pathname}`).toBe(page);
    expect(signedIn.url.searchParams.get('state')).toBe('any-state');
    expect(access).toEqual({
      ...groups,
      sub,
      iss: issuer.issuer,
      aud: 'click-tally-local',
      client_id: 'click-tally-local',
      scope: 'openid click-tally/links',
      token_use: 'access',
    });
    expect(jti).toEqual(expect.any(String));
    expect(Number(exp) - Number(iat)).toBe(3600);
    expect(decodeProtectedHeader(tokens.access_token).alg).toBe('RS256');
    expect(await verify(tokens.id_token)).toMatchObject({ ...groups, sub, name });
  });

  test('signs in Ada in a new browser without a question', async () => {
    const signedIn = await authorize(createBrowser());

    expect(`${signedIn.url.origin}${signedIn.url.pathname}`).toBe(page);
    expect(await findSubject(signedIn)).toBe('local-user');
  });

  test('lets another user sign in after prompt=login', async () => {
    const browser = createBrowser();
    await signIn(browser, users.ada);
    const { url, verifier } = await authorize(browser, { prompt: 'login' });

    // oidc-provider ends the first user's session with a form that sends itself.
    const { url: resumed, response } = await browser.submit(`${url}`, { user: users.grace });
    const form = readForm(await response.text());
    const { url: returned } = await browser.submit(form.action, { ...form.fields, logout: 'yes' });

    expect(resumed.origin).toBe(issuer.issuer);
    expect(response.headers.get('content-security-policy')).toMatch(
      /script-src 'none' 'sha256-[^']+'/,
    );
    expect(await findSubject({ url: returned, verifier })).toBe('other-local-user');
  });

  test('signs out without a question, ends the refresh token, and then asks who signs in', async () => {
    const browser = createBrowser();
    const { tokens } = await redeem(await signIn(browser, users.ada));

    const { url } = await signOut(browser, {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: page,
    });

    expect(`${url}`).toBe(page);
    expect((await authorize(browser)).url.origin).toBe(issuer.issuer);
    const { refresh_token } = tokens;
    const refreshed = await requestTokens({ grant_type: 'refresh_token', refresh_token });
    expect([refreshed.response.status, refreshed.tokens.error]).toEqual([400, 'invalid_grant']);
  });

  test('lets another user sign in after a sign-out', async () => {
    const browser = createBrowser();
    await authorize(browser);
    await signOut(browser, {});

    const { url: signInPage, verifier } = await authorize(browser);
    const { url } = await browser.submit(`${signInPage}`, { user: users.grace });

    expect(await findSubject({ url, verifier })).toBe('other-local-user');
  });

  test('answers at once with prompt=none, whether somebody is signed in or not', async () => {
    const browser = createBrowser();

    const before = await authorize(browser, { prompt: 'none' });
    await signIn(browser, users.grace);
    const after = await authorize(browser, { prompt: 'none' });

    expect(before.url.searchParams.get('error')).toBe('login_required');
    expect(await findSubject(after)).toBe('other-local-user');
  });

  test('refreshes tokens', async () => {
    const { tokens } = await redeem(await signIn(createBrowser(), users.grace));
    const { refresh_token } = tokens;

    const refreshed = await requestTokens({ grant_type: 'refresh_token', refresh_token });

    expect(await verify(refreshed.tokens.access_token)).toMatchObject({
      sub: 'other-local-user',
      aud: 'click-tally-local',
      token_use: 'access',
    });
    expect(refreshed.tokens.refresh_token).not.toBe(refresh_token);
  });

  test("answers the page's origin, and no other", async () => {
    const signedIn = await signIn(createBrowser(), users.ada);
    const { response: allowed } = await redeem(signedIn);
    const { response: refused } = await requestTokens({}, 'http://evil.example');

    const readOrigin = ({ headers }: Response) => headers.get('access-control-allow-origin');
    expect([allowed.status, readOrigin(allowed)]).toEqual([200, 'http://127.0.0.1:3999']);
    expect([refused.status, readOrigin(refused)]).toEqual([403, null]);
  });
});

describe('the sign-in page', () => {
  test('has a button for each user, no script, and strict headers', async () => {
    const { response } = await authorize(createBrowser(), { prompt: 'login' });

    const html = await response.text();
    expect(html.match(/<button [^>]*value="[^"]+"/g)).toEqual([
      '<button name="user" value="local-user"',
      '<button name="user" value="other-local-user"',
    ]);
    expect(html).not.toContain('<script');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'none'; style-src 'sha256-[^']+'; form-action 'self' http:\/\/127\.0\.0\.1:3999 http:\/\/localhost:3999 http:\/\/127\.0\.0\.1:8250; frame-ancestors 'none'; base-uri 'none'$/,
      ),
    });
  });
});

describe('a token for a command or a test', () => {
  test('has the claims of the code flow, for a day', async () => {
    const { iat, exp, ...claims } = await verify(await issuer.issueToken());

    expect(claims).toEqual({
      sub: 'local-user',
      iss: issuer.issuer,
      aud: 'click-tally-local',
      client_id: 'click-tally-local',
      scope: 'openid click-tally/links',
      token_use: 'access',
      'cognito:groups': ['operators'],
    });
    expect(Number(exp) - Number(iat)).toBe(86_400);
  });
});

/** Reads the address and the hidden fields of the form on a page. */
function readForm(html: string) {
  const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1] ?? '';
  const inputs = html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]+)"/g);
  return {
    action,
    fields: Object.fromEntries([...inputs].map(([, name, value]) => [name, value])),
  };
}

import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type RunningServer, startHttpServer } from '../../../cli/loopback/http-server.ts';
import { createTokenCheck, type TokenCheck } from '../../../lib/live/token-check.ts';
import { useOutput } from '../../helpers/output.ts';

const output = useOutput();
const { privateKey, publicKey } = await generateKeyPair('RS256');
const { privateKey: foreignKey } = await generateKeyPair('RS256');
let issuer: RunningServer;
let reads: string[] = [];
let answer: { status: number; body: object };
let check: TokenCheck;

beforeAll(async () => {
  issuer = await startHttpServer(async ({ path }) => {
    reads.push(path);
    return answer;
  });
});
afterAll(() => issuer.stop());
afterEach(() => vi.restoreAllMocks());

beforeEach(async () => {
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
  answer = { status: 200, body: { keys: [jwk] } };
  reads = [];
  const scopes = ['the-api/links', 'the-api/admin'];
  check = createTokenCheck({ issuer: issuer.url, audience: 'the-page', scopes });
});

const claims = (changes: JWTPayload = {}): JWTPayload => ({
  ...{ iss: issuer.url, sub: 'ada', aud: 'the-page', scope: 'openid the-api/links' },
  ...{ exp: now + 3_600, ...changes },
});

const sign = (payload: JWTPayload, key = privateKey, kid = 'key-1') =>
  new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid }).sign(key);

const now = Math.floor(Date.now() / 1_000);

test.each<[string, JWTPayload]>([
  ['for the audience', {}],
  ['for several audiences', { aud: ['another', 'the-page'] }],
  // Cognito's access tokens have no audience.
  ["of the audience's client", { aud: undefined, client_id: 'the-page' }],
  ['with another of the scopes', { scope: 'the-api/admin' }],
])('a token %s yields its user and its expiry', async (_, changes) => {
  const bearer = { sub: 'ada', expiresAt: now + 3_600 };

  expect(await check(await sign(claims(changes)))).toEqual(bearer);
});

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const unsigned = () => `${encode({ alg: 'none', kid: 'key-1' })}.${encode(claims())}.`;

test.each<[string, JWTPayload | (() => string | Promise<string>), string]>([
  ['that has expired', { exp: now - 1 }, 'expired'],
  ['of another issuer', { iss: 'https://issuer.example' }, 'issuer'],
  ['for another audience', { aud: 'another' }, 'audience'],
  ['of another client', { aud: undefined, client_id: 'another' }, 'audience'],
  ['without an audience', { aud: undefined }, 'audience'],
  ['without a scope, as ID tokens are', { scope: undefined, token_use: 'id' }, 'scope'],
  ['with other scopes', { scope: 'openid the-api/links-of-others' }, 'scope'],
  ['that is not valid yet', { nbf: now + 600 }, 'other'],
  ['that never expires', { exp: undefined }, 'claims'],
  ['without a user', { sub: undefined }, 'claims'],
  ['signed with another key', () => sign(claims(), foreignKey), 'signature'],
  ['signed with a missing key', () => sign(claims(), foreignKey, 'key-2'), 'unknown key'],
  ['that is unsigned', unsigned, 'malformed'],
])('a token %s is refused', async (_, given, reason) => {
  const token = typeof given === 'function' ? await given() : await sign(claims(given));

  expect(await check(token)).toBeUndefined();
  expect(output.logged()).toMatchObject([{ message: 'token refused', reason }]);
  expect(JSON.stringify(output.lines())).not.toContain(token.slice(0, 20));
});

test("the issuer's keys are read once", async () => {
  await check(await sign(claims()));
  await check(await sign(claims({ sub: 'grace' })));

  expect(reads).toEqual(['/.well-known/jwks.json']);
});

test.each([
  ['cannot be read', 500, 'Failed to fetch .*: expected status 200; got 500'],
  ["don't arrive in time", 0, 'Failed to fetch'],
])("keys are an error, not the token's fault, if they %s", async (_, status, message) => {
  answer = { status, body: { keys: 'none' } };
  if (!status) vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());

  await expect(check(await sign(claims()))).rejects.toThrow(new RegExp(message));
  expect(output.lines()).toEqual([]);
});

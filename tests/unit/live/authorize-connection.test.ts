import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { startHttpServer } from '../../../loopback/http-server.ts';
import { useOutput } from '../../helpers/output.ts';

const output = useOutput();
const methodArn = 'arn:aws:execute-api:us-east-1:123456789012:api/local/$connect';
const { privateKey, publicKey } = await generateKeyPair('RS256');
const { privateKey: foreignKey } = await generateKeyPair('RS256');
const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
const now = Math.floor(Date.now() / 1_000);
let reads: string[] = [];
let answer: { status: number; body: object };

const issuer = await startHttpServer(async ({ path }) => {
  reads.push(path);
  return answer;
});
afterAll(() => issuer.stop());
vi.stubEnv('JWT_ISSUER', issuer.url);
vi.stubEnv('JWT_AUDIENCE', 'the-page');
// An empty scope between two spaces would permit tokens without a scope.
vi.stubEnv('JWT_SCOPES', ' the-api/admin  the-api/links ');

beforeEach(() => {
  answer = { status: 200, body: { keys: [jwk] } };
  reads = [];
});
afterEach(() => void vi.restoreAllMocks());

type Offer = Partial<APIGatewayRequestAuthorizerEvent>;

async function authorize(request: Offer) {
  const { handler } = await import('../../../functions/authorize-connection.ts');
  return handler({ methodArn, ...request } as APIGatewayRequestAuthorizerEvent, makeContext());
}

/** Offers these subprotocols. */
const offer = (protocols: string, name = 'Sec-WebSocket-Protocol') => ({
  headers: { Host: 'live', [name]: protocols },
});
const offerToken = (token: string, name?: string) => offer(`click-tally, ${token}`, name);

const policy = (Effect: string) => ({
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: methodArn }],
  },
});
const denied = { ...policy('Deny'), principalId: 'nobody' };

const claims = (changes: JWTPayload = {}): JWTPayload => ({
  iss: issuer.url,
  sub: 'ada',
  aud: 'the-page',
  scope: 'openid the-api/links',
  exp: now + 3_600,
  ...changes,
});
const sign = (payload = claims(), key = privateKey, kid = 'key-1') =>
  new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid }).sign(key);

test.each<[string, JWTPayload, string?]>([
  ['for the audience', {}],
  ['for the audience, in a header in lower case', {}, 'sec-websocket-protocol'],
  ['for several audiences', { aud: ['another', 'the-page'] }],
  // Cognito's access tokens have no audience.
  ["of the audience's client", { aud: undefined, client_id: 'the-page' }],
  ['with another of the scopes', { scope: 'the-api/admin' }],
])(
  "a connection may open as the token's user if it offers a token %s",
  async (_, changes, name) => {
    const answer = await authorize(offerToken(await sign(claims(changes)), name));

    const context = { sub: 'ada', expiresAt: now + 3_600 };
    expect(answer).toEqual({ ...policy('Allow'), principalId: 'ada', context });
  },
);

test.each<[string, (token: string) => Offer]>([
  ['offers no subprotocol', () => ({ headers: {} })],
  ['offers the token alone', (token) => offer(token)],
  ['offers another subprotocol', (token) => offer(`graphql-ws, ${token}`)],
  ['offers more than the token', (token) => offer(`click-tally, ${token}, ${token}`)],
  [
    'has the token in its query only',
    (token) => ({ ...offer('click-tally'), queryStringParameters: { token, access_token: token } }),
  ],
])('a connection may not open if it %s', async (_, makeRequest) => {
  expect(await authorize(makeRequest(await sign()))).toEqual(denied);
});

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const unsigned = () => `${encode({ alg: 'none', kid: 'key-1' })}.${encode(claims())}.`;

test.each<[string, JWTPayload | (() => string | Promise<string>), string]>([
  ['that has expired', { exp: now - 1 }, 'expired'],
  ['of another issuer', { iss: 'https://issuer.example' }, 'issuer'],
  ['for another audience', { aud: 'another' }, 'audience'],
  ['for another audience, of the page', { aud: 'another', client_id: 'the-page' }, 'audience'],
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
])('a token %s is rejected', async (_, given, reason) => {
  const token = typeof given === 'function' ? await given() : await sign(claims(given));

  expect(await authorize(offerToken(token))).toEqual(denied);
  expect(output.logged()).toMatchObject([{ message: 'token rejected', reason }]);
  expect(JSON.stringify(output.lines())).not.toContain(token.slice(0, 20));
});

test("the issuer's keys are read once", async () => {
  vi.resetModules();
  for (const sub of ['ada', 'grace']) await authorize(offerToken(await sign(claims({ sub }))));

  expect(reads).toEqual(['/.well-known/jwks.json']);
});

test.each([
  ['cannot be read', 500, 'Failed to fetch .*: expected status 200; got 500'],
  ["don't arrive in time", 0, 'Failed to fetch'],
])("keys are an error, not the token's fault, if they %s", async (_, status, message) => {
  vi.resetModules();
  answer = { status, body: { keys: 'none' } };
  if (!status) vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());

  await expect(authorize(offerToken(await sign()))).rejects.toThrow(new RegExp(message));
  expect(JSON.stringify(output.lines())).not.toContain('token rejected');
});

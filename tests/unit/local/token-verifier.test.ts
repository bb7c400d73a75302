import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ListeningServer, listen } from '../../../cli/loopback/http-server.ts';
import { createTokenVerifier, isPermitted } from '../../../local/stack/token-verifier.ts';

const inTheFuture = 4_102_444_800;
let server: ListeningServer;
let keys: Awaited<ReturnType<typeof generateKeyPair>>;

beforeAll(async () => {
  keys = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(keys.publicKey)), kid: 'any', alg: 'RS256' };
  const answer = JSON.stringify({ keys: [key] });
  server = await listen(createServer((_request, response) => response.end(answer)));
});

afterAll(() => server.stop());

/** Verifies a token with these claims for the audience `the-api`. */
function verify(claims: JWTPayload): Promise<JWTPayload> {
  const token = new SignJWT({ iss: server.url, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'any' })
    .sign(keys.privateKey);
  return token.then(createTokenVerifier({ issuer: server.url, accepted: ['the-api', 'the-cli'] }));
}

test.each<[string, JWTPayload]>([
  ['whose aud is the audience', { aud: 'the-api' }],
  ['whose aud lists the audience', { aud: ['another', 'the-api'] }],
  ['whose aud is the second audience', { aud: 'the-cli' }],
  ['whose aud is the audience and client_id is not', { aud: 'the-api', client_id: 'another' }],
  ['without aud whose client_id is the audience', { client_id: 'the-api' }],
])('a token %s is accepted', async (_, claims) => {
  expect(await verify({ ...claims, exp: inTheFuture })).toMatchObject(claims);
});

test.each<[string, JWTPayload, string]>([
  ['whose aud is another', { aud: 'another', exp: inTheFuture }, 'got another'],
  [
    'whose aud is another, even if client_id is the audience',
    { aud: 'another', client_id: 'the-api', exp: inTheFuture },
    'got another',
  ],
  [
    'without aud whose client_id is another',
    { client_id: 'another', exp: inTheFuture },
    'got another',
  ],
  ['with neither', { exp: inTheFuture }, 'Expected the audience the-api'],
  ['without exp', { aud: 'the-api' }, 'missing required "exp" claim'],
  ['that has expired', { aud: 'the-api', exp: 1 }, '"exp" claim timestamp check failed'],
  ['of another issuer', { aud: 'the-api', exp: inTheFuture, iss: 'http://another' }, '"iss" claim'],
])('a token %s is refused', async (_, claims, reason) => {
  await expect(verify(claims)).rejects.toThrow(reason);
});

test.each([
  ['one of the scopes', true, 'openid the-api/links', ['another', 'the-api/links']],
  ['none of the scopes', false, 'openid the-api/links-of-others', ['the-api/links']],
  ['no scope, as an ID token', false, undefined, ['the-api/links']],
  ['no scope, where the route asks for none', true, undefined, undefined],
])('a token with %s is permitted: %s', (_, permitted, scope, scopes) => {
  expect(isPermitted({ scope }, scopes)).toBe(permitted);
});

import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { startTokenIssuer, type TokenIssuer } from '../../../local/stack/token-issuer.ts';
import { useOutput } from '../../helpers/output.ts';

const output = useOutput();
const methodArn = 'arn:aws:execute-api:us-east-1:123456789012:api/local/$connect';
let issuer: TokenIssuer;
let handler: typeof import('../../../functions/authorize-connection.ts').handler;

beforeAll(async () => {
  issuer = await startTokenIssuer();
  vi.stubEnv('JWT_ISSUER', issuer.issuer);
  vi.stubEnv('JWT_AUDIENCE', issuer.audience);
  // An empty scope between two spaces would permit tokens without a scope.
  vi.stubEnv('JWT_SCOPES', ' another  click-tally/links ');
  ({ handler } = await import('../../../functions/authorize-connection.ts'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await issuer.stop();
});

const authorize = (request: Partial<APIGatewayRequestAuthorizerEvent>) =>
  handler({ methodArn, ...request } as APIGatewayRequestAuthorizerEvent, makeContext());

const policy = (Effect: string) => ({
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: methodArn }],
  },
});

describe('a connection', () => {
  test.each(['Sec-WebSocket-Protocol', 'sec-websocket-protocol'])(
    "may open as the token's user if it offers a valid token in %s",
    async (name) => {
      const token = await issuer.issueToken({ subject: 'ada' });

      const answer = await authorize({
        headers: { Host: 'live', [name]: `click-tally, ${token}` },
      });

      expect(answer).toMatchObject({ ...policy('Allow'), principalId: 'ada' });
      expect(answer.context).toEqual({ sub: 'ada', expiresAt: expect.any(Number) });
    },
  );

  test.each<[string, (token: string) => Partial<APIGatewayRequestAuthorizerEvent>]>([
    ['offers no subprotocol', () => ({ headers: {} })],
    ['has no headers', () => ({ headers: null })],
    ['offers no token', () => ({ headers: { 'Sec-WebSocket-Protocol': 'click-tally' } })],
    ['offers the token alone', (token) => ({ headers: { 'Sec-WebSocket-Protocol': token } })],
    [
      'offers another subprotocol',
      (token) => ({ headers: { 'Sec-WebSocket-Protocol': `graphql-ws, ${token}` } }),
    ],
    [
      'offers more than the token',
      (token) => ({ headers: { 'Sec-WebSocket-Protocol': `click-tally, ${token}, ${token}` } }),
    ],
    [
      'has the token in its query only',
      (token) => ({
        headers: { 'Sec-WebSocket-Protocol': 'click-tally' },
        queryStringParameters: { token, access_token: token },
      }),
    ],
    [
      'has the token in another header only',
      (token) => ({ headers: { Authorization: `Bearer ${token}` } }),
    ],
  ])('may not open if it %s', async (_, makeRequest) => {
    const token = await issuer.issueToken();

    const answer = await authorize(makeRequest(token));

    expect(answer).toEqual({ ...policy('Deny'), principalId: 'nobody' });
  });

  test.each([
    ['an expired token', { expiresIn: '-1s' }, 'expired'],
    ['an ID token, which has no scope', { use: 'id' }, 'scope'],
  ] as const)('may not open with %s, and the token is not logged', async (_, options, reason) => {
    const token = await issuer.issueToken(options);

    const answer = await authorize({
      headers: { 'Sec-WebSocket-Protocol': `click-tally, ${token}` },
    });

    expect(answer).toEqual({ ...policy('Deny'), principalId: 'nobody' });
    expect(output.logged()).toMatchObject([{ message: 'token refused', reason }]);
    expect(JSON.stringify(output.lines())).not.toContain(token.slice(0, 20));
  });
});

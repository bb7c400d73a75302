import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { startTokenIssuer, type TokenIssuer } from '../../../local/stack/token-issuer.ts';
import { useOutput } from '../../helpers/output.ts';

// token-check.test.ts tries invalid tokens.
useOutput();
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

type Offer = Partial<APIGatewayRequestAuthorizerEvent>;

const authorize = (request: Offer) =>
  handler({ methodArn, ...request } as APIGatewayRequestAuthorizerEvent, makeContext());

const policy = (Effect: string) => ({
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: methodArn }],
  },
});

test.each(['Sec-WebSocket-Protocol', 'sec-websocket-protocol'])(
  "a connection may open as the token's user if it offers a valid token in %s",
  async (name) => {
    const token = await issuer.issueToken({ subject: 'ada' });

    const answer = await authorize({ headers: { Host: 'live', [name]: `click-tally, ${token}` } });

    expect(answer).toMatchObject({ ...policy('Allow'), principalId: 'ada' });
    expect(answer.context).toEqual({ sub: 'ada', expiresAt: expect.any(Number) });
  },
);

const offer = (protocols: string) => ({ headers: { 'Sec-WebSocket-Protocol': protocols } });

test.each<[string, (token: string, idToken: string) => Offer]>([
  ['offers no subprotocol', () => ({ headers: {} })],
  ['offers the token alone', (token) => offer(token)],
  ['offers another subprotocol', (token) => offer(`graphql-ws, ${token}`)],
  ['offers more than the token', (token) => offer(`click-tally, ${token}, ${token}`)],
  ['offers an ID token, which has no scope', (_, idToken) => offer(`click-tally, ${idToken}`)],
  [
    'has the token in its query only',
    (token) => ({ ...offer('click-tally'), queryStringParameters: { token, access_token: token } }),
  ],
])('a connection may not open if it %s', async (_, makeRequest) => {
  const tokens = [await issuer.issueToken(), await issuer.issueToken({ use: 'id' })] as const;

  const answer = await authorize(makeRequest(...tokens));

  expect(answer).toEqual({ ...policy('Deny'), principalId: 'nobody' });
});

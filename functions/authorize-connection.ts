import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { readTokenConfig } from '../lib/config.ts';
import { readOfferedToken } from '../lib/live/protocol.ts';
import { reportRefusedConnection } from '../lib/live/report.ts';
import { createTokenCheck } from '../lib/live/token.ts';
import { withPowertools } from '../lib/telemetry/powertools.ts';

const checkToken = createTokenCheck(readTokenConfig());

/** Lets a connection of the live page open if it offers a valid token. */
export const handler = withPowertools(
  async (event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const token = readOfferedToken(event.headers);
    const bearer = token ? await checkToken(token) : undefined;
    if (!bearer) {
      reportRefusedConnection();
      return answer('Deny', event.methodArn);
    }
    const { sub, expiresAt } = bearer;
    return { ...answer('Allow', event.methodArn, sub), context: { sub, expiresAt } };
  },
);

function answer(Effect: 'Allow' | 'Deny', Resource: string, principalId = 'nobody') {
  const statement = { Action: 'execute-api:Invoke', Effect, Resource };
  return { principalId, policyDocument: { Version: '2012-10-17', Statement: [statement] } };
}

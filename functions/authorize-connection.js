import { httpUrl, nonEmptyString, readEnv } from '../lib/config.ts';
import { createTokenCheck } from '../lib/live/token-check.ts';
import { readOfferedToken } from '../lib/live/web-socket.ts';
import { withPowertools } from '../lib/telemetry/powertools.ts';
const { JWT_ISSUER, JWT_AUDIENCE, JWT_SCOPES } = readEnv({
    JWT_ISSUER: httpUrl,
    JWT_AUDIENCE: nonEmptyString,
    JWT_SCOPES: nonEmptyString,
});
const checkToken = createTokenCheck({
    issuer: JWT_ISSUER,
    audience: JWT_AUDIENCE,
    scopes: JWT_SCOPES.split(/\s/).filter(Boolean),
});
/** Allows a connection from the live page if it offers a valid token. */
export const handler = withPowertools(async (event) => {
    const token = readOfferedToken(event.headers);
    const bearer = token ? await checkToken(token) : undefined;
    if (!bearer)
        return answer('Deny', event.methodArn);
    const { sub, expiresAt } = bearer;
    return { ...answer('Allow', event.methodArn, sub), context: { sub, expiresAt } };
});
function answer(Effect, Resource, principalId = 'nobody') {
    const statement = { Action: 'execute-api:Invoke', Effect, Resource };
    return { principalId, policyDocument: { Version: '2012-10-17', Statement: [statement] } };
}

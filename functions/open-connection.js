import * as z from 'zod/mini';
import { positiveInteger, readEnv } from '../lib/config.ts';
import { table } from '../lib/dynamodb/table.ts';
import { openConnection } from '../lib/live/connections.ts';
import { liveProtocol, nowInSeconds, protocolHeader, withWebSocketApi, } from '../lib/live/web-socket.ts';
import { logger } from '../lib/telemetry/powertools.ts';
// The context from authorize-connection. API Gateway turns each value into a string.
const authorizedSchema = z.object({
    authorizer: z.object({ sub: z.string(), expiresAt: z.coerce.number() }),
});
const limitVariables = { CONNECTIONS_PER_USER: positiveInteger };
const { CONNECTIONS_PER_USER: connectionsPerUser } = readEnv(limitVariables);
/** $connect: stores the connection of a user whose token authorize-connection has checked. */
export const handler = withWebSocketApi(async ({ requestContext }) => {
    const { sub: owner, expiresAt } = authorizedSchema.parse(requestContext).authorizer;
    const connection = { id: requestContext.connectionId, owner, expiresAt, connectionsPerUser };
    if (await openConnection(table, connection, nowInSeconds())) {
        return { statusCode: 200, headers: { [protocolHeader]: liveProtocol } };
    }
    logger.warn('too many connections', { sub: owner, connectionsPerUser });
    return { statusCode: 429 };
});

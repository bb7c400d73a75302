import { ApiGatewayManagementApiClient, DeleteConnectionCommand, PostToConnectionCommand, } from '@aws-sdk/client-apigatewaymanagementapi';
import { httpUrl, readEnv } from '../config.ts';
import { logger, traceClient, tracer, withPowertools } from '../telemetry/powertools.ts';
/**
 * Wraps a handler for the WebSocket API. Logs and traces an error and answers 500, which API
 * Gateway counts as an IntegrationError. If a connection is opening, API Gateway then refuses it.
 */
export function withWebSocketApi(handle) {
    return withPowertools(async (event) => {
        try {
            return await handle(event);
        }
        catch (error) {
            logger.error('A connection event failed.', {
                route: event.requestContext.routeKey,
                error,
            });
            tracer?.addErrorAsMetadata(error);
            return { statusCode: 500 };
        }
    });
}
export function nowInSeconds() {
    return Math.floor(Date.now() / 1000);
}
/** The live page's subprotocol. Browsers accept only a response that names it. */
export const liveProtocol = 'click-tally';
/** The header that lists a browser's subprotocols. */
export const protocolHeader = 'Sec-WebSocket-Protocol';
/**
 * The token that a browser offers as its second subprotocol, because it can't send other headers
 * with a WebSocket. Undefined if it's missing.
 */
export function readOfferedToken(headers) {
    const isProtocol = ([name]) => name.toLowerCase() === protocolHeader.toLowerCase();
    const [, offer = ''] = Object.entries(headers ?? {}).find(isProtocol) ?? [];
    const [protocol, token, ...others] = offer.split(',', 3).map((text) => text.trim());
    return protocol === liveProtocol && others.length === 0 ? token : undefined;
}
const requestHandler = {
    connectionTimeout: 1000,
    requestTimeout: 2000,
    throwOnRequestTimeout: true,
};
const goneStatus = 410;
/**
 * Reaches the connections of a WebSocket API at `https://<api>.execute-api.<region>…/<stage>`. The
 * default is the endpoint in the environment.
 */
export function createConnectionsApi(endpoint = readEnv({ LIVE_ENDPOINT: httpUrl }).LIVE_ENDPOINT) {
    const client = traceClient(new ApiGatewayManagementApiClient({ endpoint, requestHandler }));
    const unlessGone = async (request) => {
        try {
            await request;
            return 'sent';
        }
        catch (error) {
            if (statusOf(error) === goneStatus)
                return 'gone';
            throw error;
        }
    };
    return {
        send: (ConnectionId, message, abortSignal) => {
            const Data = JSON.stringify(message);
            const command = new PostToConnectionCommand({ ConnectionId, Data });
            return unlessGone(client.send(command, { abortSignal }));
        },
        close: async (ConnectionId) => {
            await unlessGone(client.send(new DeleteConnectionCommand({ ConnectionId })));
        },
    };
}
function statusOf(error) {
    return error.$metadata?.httpStatusCode;
}

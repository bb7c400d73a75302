import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import type { APIGatewayProxyResultV2, APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { httpUrl, readEnv } from '../config.ts';
import { logger, traceClient, tracer, withPowertools } from '../telemetry/powertools.ts';
import type { ServerMessage } from './messages.ts';

interface WebSocketAnswer {
  statusCode: number;
  headers?: Record<string, string>;
}

/** The parts of an event that the live page's handlers read. `$connect` doesn't have a body. */
export type WebSocketEvent = Pick<APIGatewayProxyWebsocketEventV2, 'requestContext'> & {
  body?: string | null;
};

/**
 * Wraps a handler for the WebSocket API. Logs and traces an error and answers 500, which API
 * Gateway counts as an IntegrationError. If a connection is opening, API Gateway then rejects it.
 */
export function withWebSocketApi(handle: (event: WebSocketEvent) => Promise<WebSocketAnswer>) {
  return withPowertools(async (event: WebSocketEvent): Promise<APIGatewayProxyResultV2> => {
    try {
      return await handle(event);
    } catch (error) {
      logger.error('A connection event failed.', {
        route: event.requestContext.routeKey,
        error,
      });
      tracer?.addErrorAsMetadata(error as Error);
      return { statusCode: 500 };
    }
  });
}

export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

/** The live page's subprotocol. Browsers accept only a response that names it. */
export const liveProtocol = 'click-tally';

/** The header that lists a browser's subprotocols. */
export const protocolHeader = 'Sec-WebSocket-Protocol';

type HeaderFields = Readonly<Record<string, string | undefined>> | null | undefined;

/**
 * The token that a browser offers as its second subprotocol, because it can't send other headers
 * with a WebSocket. Undefined if it's missing.
 */
export function readOfferedToken(headers: HeaderFields): string | undefined {
  const isProtocol = ([name]: [string, unknown]) =>
    name.toLowerCase() === protocolHeader.toLowerCase();
  const [, offer = ''] = Object.entries(headers ?? {}).find(isProtocol) ?? [];
  const [protocol, token, ...others] = offer.split(',', 3).map((text) => text.trim());
  return protocol === liveProtocol && others.length === 0 ? token : undefined;
}

const requestHandler = {
  connectionTimeout: 1_000,
  requestTimeout: 2_000,
  throwOnRequestTimeout: true,
};
const goneStatus = 410;

export interface ConnectionsApi {
  /** Returns `gone` if the connection is closed. Throws if API Gateway doesn't accept it. */
  send(
    connectionId: string,
    message: ServerMessage,
    abortSignal?: AbortSignal,
  ): Promise<'sent' | 'gone'>;
  /** Closes a connection, which may already be closed. */
  close(connectionId: string): Promise<void>;
}

/**
 * Reaches the connections of a WebSocket API at `https://<api>.execute-api.<region>…/<stage>`. The
 * default is the endpoint in the environment.
 */
export function createConnectionsApi(
  endpoint = readEnv({ LIVE_ENDPOINT: httpUrl }).LIVE_ENDPOINT,
): ConnectionsApi {
  const client = traceClient(new ApiGatewayManagementApiClient({ endpoint, requestHandler }));
  const unlessGone = async (request: Promise<unknown>) => {
    try {
      await request;
      return 'sent';
    } catch (error) {
      if (statusOf(error) === goneStatus) return 'gone';
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

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

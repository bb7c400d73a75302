import type { APIGatewayProxyResultV2, APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { logger, tracer, withPowertools } from '../telemetry/powertools.ts';

interface WebSocketAnswer {
  statusCode: number;
  headers?: Record<string, string>;
}

/** What the handlers of the live page read of an event; that of `$connect` has no body. */
export type WebSocketEvent = Pick<APIGatewayProxyWebsocketEventV2, 'requestContext'> & {
  body?: string | null;
};

/**
 * Wraps a handler for the WebSocket API. Logs and traces an error and answers 500, which API Gateway
 * counts as an IntegrationError; a connection that is about to open is then refused.
 */
export function withWebSocketApi(handle: (event: WebSocketEvent) => Promise<WebSocketAnswer>) {
  return withPowertools(async (event: WebSocketEvent): Promise<APIGatewayProxyResultV2> => {
    try {
      return await handle(event);
    } catch (error) {
      logger.error('An event of a connection failed.', {
        route: event.requestContext.routeKey,
        error,
      });
      tracer?.addErrorAsMetadata(error as Error);
      return { statusCode: 500 };
    }
  });
}

/** The time in epoch seconds. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

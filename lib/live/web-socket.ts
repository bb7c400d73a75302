import type { APIGatewayProxyResultV2, APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { logger, tracer, withPowertools } from '../telemetry/powertools.ts';

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
 * Gateway counts as an IntegrationError. If a connection is opening, API Gateway then refuses it.
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

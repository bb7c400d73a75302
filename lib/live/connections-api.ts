import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { httpUrl, readEnv } from '../config.ts';
import { traceClient } from '../telemetry/powertools.ts';
import type { ServerMessage } from './messages.ts';

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

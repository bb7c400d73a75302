import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/**
 * Settings of the layer's client: the SDK does not retry, because the layer does until the deadline. A
 * connection may take 1,000 milliseconds.
 */
export const commitClientConfig = {
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 1_000 },
} satisfies DynamoDBClientConfig;

/** Creates a client for the layer, with {@link commitClientConfig} and what else is given. */
export function createCommitClient(config: DynamoDBClientConfig = {}): DynamoDBClient {
  const client = new DynamoDBClient({ ...commitClientConfig, ...config });
  // It copies every request for the logger, even if there is none.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

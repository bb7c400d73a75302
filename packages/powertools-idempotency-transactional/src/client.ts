import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/**
 * Settings of the layer's client. The SDK doesn't retry, because the layer does until the deadline. A
 * connection may take 1,000 milliseconds.
 */
export const commitClientConfig = {
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 1_000 },
} satisfies DynamoDBClientConfig;

/** Creates a client for the layer with {@link commitClientConfig}, merged with your own options. */
export function createCommitClient(config: DynamoDBClientConfig = {}): DynamoDBClient {
  const client = new DynamoDBClient({ ...commitClientConfig, ...config });
  // It copies every request, even without a logger.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

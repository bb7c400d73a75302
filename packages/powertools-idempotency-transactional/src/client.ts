import { addUserAgentMiddleware } from '@aws-lambda-powertools/commons';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/**
 * Creates a client for the layer, with your own options. The SDK's retries are off, because the layer
 * retries until the deadline, and a connection may take a second.
 *
 * @example
 * ```ts
 * import { createCommitClient } from 'powertools-idempotency-transactional';
 *
 * export const awsSdkV3Client = createCommitClient({ region: 'eu-central-1' });
 * ```
 */
export function createCommitClient(config: DynamoDBClientConfig = {}): DynamoDBClient {
  const client = new DynamoDBClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1_000 },
    ...config,
  });
  // It copies every request, even without a logger.
  client.middlewareStack.remove('loggerMiddleware');
  addUserAgentMiddleware(client, 'idempotency');
  return client;
}

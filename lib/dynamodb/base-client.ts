import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { nonEmptyString, readEnv } from '../config.ts';
import { traceClient } from '../telemetry/powertools.ts';

// The SDK retries after a second without a response, while the caller is still waiting.
const requestHandler = {
  connectionTimeout: 1_000,
  requestTimeout: 1_000,
  throwOnRequestTimeout: true,
};

/** Creates a client for functions behind the API. */
export function createBaseClient(options?: DynamoDBClientConfig): DynamoDBClient {
  return traceClient(new DynamoDBClient({ requestHandler, ...options }));
}

/** The table that the environment names. */
export const tableName = readEnv({ TABLE_NAME: nonEmptyString }).TABLE_NAME;

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { nonEmptyString, readEnv } from '../config.ts';
import { traceClient } from '../telemetry/powertools.ts';

// The SDK retries after a second without a response, while the caller is still waiting.
const requestHandler = {
  connectionTimeout: 1_000,
  requestTimeout: 1_000,
  throwOnRequestTimeout: true,
};

/** The client of functions behind the API, except resolve-link. */
export const baseClient = traceClient(new DynamoDBClient({ requestHandler }));

/** The table that the environment names. */
export const tableName = readEnv({ TABLE_NAME: nonEmptyString }).TABLE_NAME;

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { nonEmptyString, readEnv } from '../config.ts';
import { traceClient } from '../telemetry/powertools.ts';
// The SDK retries after a second without a response, while the caller is still waiting.
const requestHandler = {
    connectionTimeout: 1000,
    requestTimeout: 1000,
    throwOnRequestTimeout: true,
};
const baseClient = traceClient(new DynamoDBClient({ requestHandler }));
/** The table that the environment names, for functions behind the API except resolve-link. */
export const table = {
    client: DynamoDBDocumentClient.from(baseClient),
    baseClient,
    tableName: readEnv({ TABLE_NAME: nonEmptyString }).TABLE_NAME,
};

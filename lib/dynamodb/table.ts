import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { nonEmptyString, readEnv } from '../config.ts';
import { traceClient } from '../telemetry/powertools.ts';
import type { TableAccess } from './table-access.ts';

// The SDK retries after a second without a response, while the caller is still waiting.
const requestHandler = {
  connectionTimeout: 1_000,
  requestTimeout: 1_000,
  throwOnRequestTimeout: true,
};

/** The table that the environment names, for functions behind the API. */
export const table: TableAccess = {
  client: DynamoDBDocumentClient.from(traceClient(new DynamoDBClient({ requestHandler }))),
  tableName: readEnv(z.object({ TABLE_NAME: nonEmptyString })).TABLE_NAME,
};

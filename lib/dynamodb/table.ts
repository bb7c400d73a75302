import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { nonEmptyString, readEnv } from '../config.ts';
import { traceClient } from '../telemetry/powertools.ts';
import type { TransactionalTable } from './table-access.ts';

// The SDK retries after a second without a response, while the caller is still waiting.
const requestHandler = {
  connectionTimeout: 1_000,
  requestTimeout: 1_000,
  throwOnRequestTimeout: true,
};

const baseClient = traceClient(new DynamoDBClient({ requestHandler }));

/** The table that the environment names, for functions behind the API. */
export const table: TransactionalTable = {
  client: DynamoDBDocumentClient.from(baseClient),
  baseClient,
  tableName: readEnv(z.object({ TABLE_NAME: nonEmptyString })).TABLE_NAME,
};

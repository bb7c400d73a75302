import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { nonEmptyString, readEnv } from '../config.ts';
import { traceClient } from '../telemetry/powertools.ts';

/** A client for the table. The signal aborts its requests. */
export interface TableAccess {
  client: DynamoDBDocumentClient;
  tableName: string;
  abortSignal?: AbortSignal;
}

/** A table that transactions write to. */
export interface TransactionalTable extends TableAccess {
  /** The client that the document client converts values for. */
  baseClient: DynamoDBClient;
}

// The SDK retries after a second without a response, while the caller is still waiting.
const requestHandler = {
  connectionTimeout: 1_000,
  requestTimeout: 1_000,
  throwOnRequestTimeout: true,
};
const baseClient = traceClient(new DynamoDBClient({ requestHandler }));

/** The table that the environment names, for functions behind the API except resolve-link. */
export const table: TransactionalTable = {
  client: DynamoDBDocumentClient.from(baseClient),
  baseClient,
  tableName: readEnv({ TABLE_NAME: nonEmptyString }).TABLE_NAME,
};

import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { baseClient, tableName } from './base-client.ts';
import type { TransactionalTable } from './table-access.ts';

/** The table that the environment names, for functions behind the API. */
export const table: TransactionalTable = {
  client: DynamoDBDocumentClient.from(baseClient),
  baseClient,
  tableName,
};

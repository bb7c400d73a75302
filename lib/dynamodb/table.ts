import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createBaseClient, tableName } from './base-client.ts';
import type { TransactionalTable } from './table-access.ts';

const baseClient = createBaseClient();

/** The table that the environment names, for functions behind the API. */
export const table: TransactionalTable = {
  client: DynamoDBDocumentClient.from(baseClient),
  baseClient,
  tableName,
};

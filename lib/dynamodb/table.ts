import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { baseClient, tableName } from './base-client.ts';

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

/** The table that the environment names, for functions behind the API. */
export const table: TransactionalTable = {
  client: DynamoDBDocumentClient.from(baseClient),
  baseClient,
  tableName,
};

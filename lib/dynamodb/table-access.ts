import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** A client of the table; the signal aborts its requests. */
export interface TableAccess {
  client: DynamoDBDocumentClient;
  tableName: string;
  abortSignal?: AbortSignal;
}

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** A client for the table. The signal aborts its requests. */
export interface TableAccess {
  client: DynamoDBDocumentClient;
  tableName: string;
  abortSignal?: AbortSignal;
}

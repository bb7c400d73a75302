import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

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

import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from './entry.ts';

/** Reads items of one table consistently. IAM needs only `dynamodb:BatchGetItem`. */
export async function readItems(
  client: DynamoDBClient,
  tableName: string,
  keys: Item[],
  abortSignal?: AbortSignal,
): Promise<Item[]> {
  const RequestItems = { [tableName]: { Keys: keys, ConsistentRead: true } };
  const command = new BatchGetItemCommand({ RequestItems });
  const { Responses = {} } = await client.send(command, abortSignal && { abortSignal });
  return Object.values(Responses).flat();
}

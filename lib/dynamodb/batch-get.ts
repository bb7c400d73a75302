import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { NativeAttributeValue } from '@aws-sdk/util-dynamodb';
import { backOff } from './retry.ts';
import type { TableAccess } from './table-access.ts';

const maxReads = 5;

/**
 * Reads up to 100 items with consistent reads, in any order. Throws if DynamoDB hasn't returned all
 * of them after five requests.
 */
export async function batchGetItems(
  { client, tableName, abortSignal }: TableAccess,
  keys: Record<string, string>[],
): Promise<Record<string, NativeAttributeValue>[]> {
  const items: Record<string, NativeAttributeValue>[] = [];
  let left = keys;
  for (let attempt = 1; left.length > 0; attempt += 1) {
    if (attempt > maxReads) throw new Error(`expected all items within ${maxReads} reads`);
    if (attempt > 1) await backOff(attempt);
    const RequestItems = { [tableName]: { Keys: left, ConsistentRead: true } };
    const command = new BatchGetCommand({ RequestItems });
    const { Responses, UnprocessedKeys } = await client.send(command, { abortSignal });
    items.push(...(Responses?.[tableName] ?? []));
    left = UnprocessedKeys?.[tableName]?.Keys ?? [];
  }
  return items;
}

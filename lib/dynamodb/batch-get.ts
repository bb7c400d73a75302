import { BatchGetCommand, type BatchGetCommandInput } from '@aws-sdk/lib-dynamodb';
import type { NativeAttributeValue } from '@aws-sdk/util-dynamodb';
import { backOff } from './retry.ts';
import type { TableAccess } from './table-access.ts';

const maxReads = 5;

type Keys = Record<string, string>[];
type PlainItem = Record<string, NativeAttributeValue>;

/**
 * Reads up to 100 items with consistent reads, in any order. Throws if DynamoDB hasn't returned all
 * of them after five requests.
 */
export async function batchGetItems(table: TableAccess, keys: Keys): Promise<PlainItem[]> {
  const items: PlainItem[] = [];
  let left = keys;
  for (let attempt = 1; left.length > 0; attempt += 1) {
    if (attempt > maxReads) throw new Error(`expected all items within ${maxReads} reads`);
    if (attempt > 1) await backOff(attempt);
    left = await batchGet(table, left, items);
  }
  return items;
}

/** Adds the items that DynamoDB returns, and returns the unprocessed keys. */
async function batchGet(
  { client, tableName, abortSignal }: TableAccess,
  Keys: Keys,
  items: PlainItem[],
): Promise<Keys> {
  const RequestItems: BatchGetCommandInput['RequestItems'] = {
    [tableName]: { Keys, ConsistentRead: true },
  };
  const command = new BatchGetCommand({ RequestItems });
  const { Responses, UnprocessedKeys } = await client.send(command, { abortSignal });
  items.push(...(Responses?.[tableName] ?? []));
  return UnprocessedKeys?.[tableName]?.Keys ?? [];
}

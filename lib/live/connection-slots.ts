import type { TableAccess } from '../dynamodb/table-access.ts';
import { updateItem } from '../dynamodb/update-item.ts';
import { userConnectionsKey } from '../keys.ts';

/**
 * Adds a connection to its user's list, which never exceeds `limit` connections, even if several
 * open at once. If the list is full, returns it. `ttl`, in epoch seconds, is when all of them will
 * have ended.
 */
export async function claimSlot(
  table: TableAccess,
  { id, owner, limit, ttl }: { id: string; owner: string; limit: number; ttl: number },
): Promise<string[] | undefined> {
  const { isRefused, item } = await updateItem<{ ids: Set<string> }>(table, {
    Key: userConnectionsKey(owner),
    UpdateExpression: 'SET #ttl = :ttl ADD ids :added',
    // An earlier attempt may have added it and lost its response.
    ConditionExpression: 'attribute_not_exists(ids) OR size(ids) < :limit OR contains(ids, :id)',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':ttl': ttl, ':added': new Set([id]), ':id': id, ':limit': limit },
  });
  return isRefused ? [...(item?.ids ?? [])] : undefined;
}

/** Removes a connection from its user's list, if it's there. */
export async function freeSlot(table: TableAccess, owner: string, id: string): Promise<void> {
  await updateItem(table, {
    Key: userConnectionsKey(owner),
    UpdateExpression: 'DELETE ids :removed',
    // Without this condition, the update would create a list that never expires.
    ConditionExpression: 'contains(ids, :id)',
    ExpressionAttributeValues: { ':removed': new Set([id]), ':id': id },
  });
}

import { commitWrites } from '../dynamodb/requests.ts';
import type { TransactionalTable } from '../dynamodb/table.ts';
import { deletedOwner, deletionKey, linkKey } from '../keys.ts';
import type { DeleteLinkAnswer } from './answer-schemas.ts';
import { getLink, type Link } from './links.ts';

/** How long a deleted link can be restored. Its days and its code are kept as long. */
export const keptDays = 90;
const dayMs = 24 * 60 * 60 * 1_000;

/** When a link was deleted. */
interface Deletion {
  code: string;
  /** An ISO 8601 instant. */
  deletedAt: string;
}

/**
 * Deletes a link for its owner, and returns when: earlier, if it's deleted already. Undefined if the
 * link doesn't exist or isn't theirs. Its clicks from before are counted even later.
 */
export async function deleteOwnLink(
  table: TransactionalTable,
  owner: string,
  code: string,
): Promise<Deletion | undefined> {
  const deletedAt = new Date().toISOString();
  const refusal = await commitWrites(table, [
    {
      Update: {
        Key: linkKey(code),
        UpdateExpression: 'SET #owner = :deleted, deletedAt = :now',
        ConditionExpression: '#owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: {
          ...{ ':owner': owner, ':deleted': deletedOwner(owner), ':now': deletedAt },
        },
      },
    },
    { Put: { Item: deletionKey(deletedAt, code) } },
  ]);
  if (!refusal) return { code, deletedAt };
  const { item: link } = refusal;
  return link?.owner === deletedOwner(owner) ? { code, deletedAt: link.deletedAt } : undefined;
}

/**
 * Restores a deleted link for its owner, and returns it, even if it isn't deleted. Undefined if it
 * doesn't exist any more or isn't theirs.
 */
export async function restoreOwnLink(
  table: TransactionalTable,
  owner: string,
  code: string,
): Promise<Link | undefined> {
  const found = await getLink(table, code);
  if (found?.owner === owner) return found;
  if (found?.deletedAt === undefined || found.owner !== deletedOwner(owner)) return undefined;
  const { deletedAt, ...link } = found;
  const refusal = await commitWrites(table, [
    {
      Update: {
        Key: linkKey(code),
        UpdateExpression: 'SET #owner = :owner REMOVE deletedAt',
        ConditionExpression: '#owner = :deleted AND deletedAt = :deletedAt',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: {
          ...{ ':owner': owner, ':deleted': deletedOwner(owner), ':deletedAt': deletedAt },
        },
      },
    },
    { Delete: { Key: deletionKey(deletedAt, code) } },
  ]);
  // A concurrent request may have restored it, or it was purged.
  if (refusal && refusal.item?.owner !== owner) return undefined;
  return { ...link, owner };
}

/** A deletion as the owner sees it. */
export function describeDeletion({ code, deletedAt }: Deletion): DeleteLinkAnswer {
  const keptUntil = new Date(Date.parse(deletedAt) + keptDays * dayMs).toISOString();
  return { code, deletedAt, keptUntil };
}

import type { Write } from 'powertools-idempotency-transactional';
import { commitWrites } from '../dynamodb/requests.ts';
import type { TransactionalTable } from '../dynamodb/table.ts';
import { deletedOwner, deletionKey, linkKey } from '../keys.ts';
import type { DeleteLinkAnswer } from './answer-schemas.ts';
import { dayMs } from './days.ts';
import { getLink, type Link } from './links.ts';

/** How long a deleted link can be restored. Its days and its code are kept as long. */
export const keptDays = 90;
export const keptMs = keptDays * dayMs;

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
  const change = { from: owner, to: deletedOwner(owner), deletedAt };
  const refusal = await commitWrites(table, [
    changeOwner(code, change, 'SET #owner = :to, deletedAt = :deletedAt', '#owner = :from'),
    { Put: { Item: deletionKey(deletedAt, code) } },
  ]);
  if (!refusal) return { code, deletedAt };
  const { item: link } = refusal;
  return link?.owner === change.to ? { code, deletedAt: link.deletedAt } : undefined;
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
  const change = { from: deletedOwner(owner), to: owner, deletedAt };
  const isDeletion = '#owner = :from AND deletedAt = :deletedAt';
  const refusal = await commitWrites(table, [
    changeOwner(code, change, 'SET #owner = :to REMOVE deletedAt', isDeletion),
    { Delete: { Key: deletionKey(deletedAt, code) } },
  ]);
  // A concurrent request may have restored it, or it was purged.
  if (refusal && refusal.item?.owner !== owner) return undefined;
  return { ...link, owner };
}

function changeOwner(
  code: string,
  { from, to, deletedAt }: { from: string; to: string; deletedAt: string },
  UpdateExpression: string,
  ConditionExpression: string,
): Write {
  return {
    Update: {
      ...{ Key: linkKey(code), UpdateExpression, ConditionExpression },
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: { ':from': from, ':to': to, ':deletedAt': deletedAt },
    },
  };
}

/** A deletion as the owner sees it. */
export function describeDeletion({ code, deletedAt }: Deletion): DeleteLinkAnswer {
  const keptUntil = new Date(Date.parse(deletedAt) + keptMs).toISOString();
  return { code, deletedAt, keptUntil };
}

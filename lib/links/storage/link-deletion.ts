import pLimit from 'p-limit';
import type { Write } from 'powertools-idempotency-transactional';
import { chunk } from '../../chunk.ts';
import { dayMs, lastDay } from '../../days.ts';
import { commitWrites, queryRange } from '../../dynamodb/requests.ts';
import type { TransactionalTable } from '../../dynamodb/table.ts';
import { dayKey, deletedOwner, deletionKey, linkKey, sumsKey, visitorsKey } from '../../keys.ts';
import type { DeleteLinkAnswer } from '../api/answer-schemas.ts';
import { notFoundError } from '../rules/code.ts';
import { raiseVersion, recordChange, versionStep } from './link-version.ts';
import { getLink, getStoredLink, isTombstone, type Link, type Tombstone } from './links.ts';

/** How long a deleted link can be restored. Its days and its code are kept as long. */
export const keptDays = 90;
export const keptMs = keptDays * dayMs;

/**
 * Deletes a link for its owner, and returns when: earlier, if it's deleted already. Throws an HttpError
 * of 404 if the link doesn't exist or isn't theirs. Its clicks from before are counted even later.
 */
export async function deleteOwnLink(
  table: TransactionalTable,
  owner: string,
  code: string,
): Promise<DeleteLinkAnswer> {
  const deletedAt = new Date().toISOString();
  const change = { from: owner, to: deletedOwner(owner), deletedAt };
  const rejection = await commitWrites(table, [
    changeOwner(code, change, 'SET #owner = :to, deletedAt = :deletedAt', '#owner = :from'),
    recordChange(code),
    { Put: { Item: deletionKey(deletedAt, code) } },
  ]);
  if (!rejection) return describeDeletion({ code, deletedAt });
  const { item: link } = rejection;
  if (link?.owner !== change.to) throw notFoundError(code);
  return describeDeletion({ code, deletedAt: link.deletedAt });
}

/**
 * Restores a deleted link for its owner, and returns it, even if it isn't deleted. Throws an HttpError
 * of 404 if it doesn't exist any more or isn't theirs.
 */
export async function restoreOwnLink(
  table: TransactionalTable,
  owner: string,
  code: string,
): Promise<Link> {
  const found = await getLink(table, code);
  if (found?.owner === owner) return found;
  if (found?.deletedAt === undefined || found.owner !== deletedOwner(owner)) {
    throw notFoundError(code);
  }
  const { deletedAt, ...link } = found;
  const change = { from: deletedOwner(owner), to: owner, deletedAt };
  const sameDeletion = '#owner = :from AND deletedAt = :deletedAt';
  const rejection = await commitWrites(table, [
    changeOwner(code, change, 'SET #owner = :to REMOVE deletedAt', sameDeletion),
    recordChange(code),
    { Delete: { Key: deletionKey(deletedAt, code) } },
  ]);
  // A concurrent request may have restored it, or it was purged. DynamoDB may not say which.
  const stored = rejection && (rejection.item ?? (await getLink(table, code)));
  if (rejection && stored?.owner !== owner) throw notFoundError(code);
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
      Key: linkKey(code),
      UpdateExpression: `${UpdateExpression} ${raiseVersion}`,
      ConditionExpression,
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: {
        ':from': from,
        ':to': to,
        ':deletedAt': deletedAt,
        ...versionStep,
      },
    },
  };
}

/** A deletion as the owner sees it. `deletedAt` is an ISO 8601 instant. */
export function describeDeletion({
  code,
  deletedAt,
}: Omit<DeleteLinkAnswer, 'keptUntil'>): DeleteLinkAnswer {
  const keptUntil = new Date(Date.parse(deletedAt) + keptMs).toISOString();
  return { code, deletedAt, keptUntil };
}

/** A tombstone must outlive the clicks of its link, which queues and redrives delay by weeks at most. */
const tombstoneSeconds = 400 * 24 * 60 * 60;
/** Later than any click. */
const never = '9999';
const linksAtOnce = 10;
/** One of a transaction's 100 actions checks that the link is still purged. */
const daysAtOnce = 99;
const keysOnly = { ProjectionExpression: 'PK, SK', Limit: 200 };
const takenDown = { disabled: true, disabledBy: 'operator' } as const;

interface Purge {
  /** The codes of the purged links. */
  codes: string[];
  failures: { code: string; error: unknown }[];
}

/**
 * Removes the links that were deleted longer ago than they are kept, with all their days. Stops at the
 * deadline, in epoch milliseconds, and the next run does the rest. A run that fails or overlaps with
 * another one does no harm: each step can be repeated.
 */
export async function purgeLinks(
  table: TransactionalTable,
  { nowMs, deadlineMs }: { nowMs: number; deadlineMs: number },
): Promise<Purge> {
  const purge: Purge = { codes: [], failures: [] };
  const last = deletionKey(new Date(nowMs - keptMs).toISOString(), '');
  for await (const due of queryRange(table, { ...last, SK: '0' }, last, keysOnly)) {
    await pLimit(linksAtOnce).map(due, async (Key) => {
      if (Date.now() >= deadlineMs) return;
      const [deletedAt, code] = Key.SK.split('#');
      try {
        if (await purgeLink(table, { code, deletedAt }, nowMs)) purge.codes.push(code);
        // Its overview's sums can be made again, should it have been restored.
        await commitWrites(table, [{ Delete: { Key } }, { Delete: { Key: sumsKey(code) } }]);
      } catch (error) {
        purge.failures.push({ code, error });
      }
    });
    if (Date.now() >= deadlineMs) break;
  }
  return purge;
}

/**
 * Purges a link in three steps. It's replaced by a tombstone, which rejects clicks, so its days can't
 * change any more. They are deleted while it still does. Then its code is free, unless an operator took
 * the link down. Returns false if the link was restored.
 */
async function purgeLink(
  table: TransactionalTable,
  { code, deletedAt }: { code: string; deletedAt: string },
  nowMs: number,
): Promise<boolean> {
  const Key = linkKey(code);
  const whilePurging = {
    ConditionExpression: 'purgedAt > :deletedAt AND attribute_not_exists(#ttl)',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':deletedAt': deletedAt },
  };
  const found = await putTombstone(table, { code, deletedAt }, nowMs);
  // An earlier run may have begun. If it ended, or if the link was restored, there's nothing to do.
  if (found && (!found.purgedAt || found.ttl !== undefined)) return false;
  // A link's visitors sort after its campaigns, and these after its days.
  const first = dayKey(code, '');
  const last = visitorsKey(code, lastDay);
  for await (const days of queryRange(table, first, last, keysOnly)) {
    for (const some of chunk(days, daysAtOnce)) {
      const check = { ConditionCheck: { Key, ...whilePurging } };
      const deletes = some.map((day) => ({ Delete: { Key: day } }));
      const rejection = await commitWrites(table, [check, ...deletes]);
      if (rejection) return false;
    }
  }
  const ttl = Math.floor(nowMs / 1_000) + tombstoneSeconds;
  const Update = {
    Key,
    ...whilePurging,
    UpdateExpression: `SET #ttl = :ttl ${raiseVersion}`,
    ConditionExpression: `${whilePurging.ConditionExpression} AND attribute_not_exists(disabledBy)`,
    ExpressionAttributeValues: {
      ...whilePurging.ExpressionAttributeValues,
      ...versionStep,
      ':ttl': ttl,
    },
  };
  const rejection = await commitWrites(table, [{ Update }, recordChange(code, { ttl })]);
  return rejection === undefined || rejection.item?.disabledBy !== undefined;
}

/**
 * Replaces a deleted link by its tombstone, and keeps a take-down. Returns the item that it finds
 * instead, if any.
 */
async function putTombstone(
  table: TransactionalTable,
  { code, deletedAt }: { code: string; deletedAt: string },
  nowMs: number,
) {
  const tombstone = { purgedAt: new Date(nowMs).toISOString(), since: never, version: nowMs };
  const put = (isTakenDown: boolean): Write => ({
    Put: {
      Item: { ...linkKey(code), ...tombstone, ...(isTakenDown && takenDown) } satisfies Tombstone,
      ConditionExpression: `deletedAt = :deletedAt AND ${isTakenDown ? '' : 'NOT '}disabledBy = :operator`,
      ExpressionAttributeValues: { ':deletedAt': deletedAt, ':operator': takenDown.disabledBy },
    },
  });
  let found: Partial<Link & Tombstone> | undefined;
  do {
    const isTakenDown = found?.disabledBy === takenDown.disabledBy;
    const change = recordChange(code, { version: nowMs });
    const rejection = await commitWrites(table, [put(isTakenDown), change]);
    // DynamoDB may reject a condition without the item.
    found = rejection && (rejection.item ?? (await queryLink(table, code)) ?? {});
  } while (found?.deletedAt === deletedAt);
  return found;
}

/** Reads a link's own item, or its tombstone, with the purge's permission to query. */
async function queryLink(table: TransactionalTable, code: string) {
  const key = linkKey(code);
  for await (const [item] of queryRange(table, key, key)) return item;
  return undefined;
}

/**
 * Lifts the take-down of a purged link for an operator: the next purge frees its code. Returns false if
 * no operator keeps the code.
 */
export async function releaseCode(table: TransactionalTable, code: string): Promise<boolean> {
  const stored = await getStoredLink(table, code);
  if (!stored || !isTombstone(stored) || !stored.disabledBy) return false;
  const { purgedAt } = stored;
  const deletedAt = new Date(Date.parse(purgedAt) - keptMs).toISOString();
  const rejection = await commitWrites(table, [
    {
      Update: {
        Key: linkKey(code),
        UpdateExpression: `REMOVE disabled, disabledBy ${raiseVersion}`,
        ConditionExpression: 'purgedAt = :purgedAt',
        ExpressionAttributeValues: { ':purgedAt': purgedAt, ...versionStep },
      },
    },
    recordChange(code),
    // To the purge, it looks like one that was interrupted.
    { Put: { Item: deletionKey(deletedAt, code) } },
  ]);
  return rejection === undefined;
}

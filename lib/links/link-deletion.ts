import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import pLimit from 'p-limit';
import type { Write } from 'powertools-idempotency-transactional';
import { chunk } from '../chunk.ts';
import { commitWrites } from '../dynamodb/requests.ts';
import type { TransactionalTable } from '../dynamodb/table.ts';
import { campaignKey, dayKey, deletedOwner, deletionKey, linkKey } from '../keys.ts';
import type { DeleteLinkAnswer } from './answer-schemas.ts';
import { dayMs } from './days.ts';
import { getLink, type Link, type PurgedLink } from './links.ts';

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

/** What remains of a link refuses clicks for as long. */
const remainsSeconds = 400 * 24 * 60 * 60;
/** Later than any click. */
const never = '9999';
const linksAtOnce = 10;
/** One of a transaction's 100 actions checks that the link is still purged. */
const daysAtOnce = 99;
const keysPerPage = 200;

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
  const { PK, SK: last } = deletionKey(new Date(nowMs - keptMs).toISOString(), '');
  let first = '0';
  while (Date.now() < deadlineMs) {
    const due = await queryKeys(table, PK, first, last);
    if (due.length === 0) break;
    await pLimit(linksAtOnce).map(due, async (Key) => {
      if (Date.now() >= deadlineMs) return;
      const [deletedAt = '', code = ''] = Key.SK.split('#');
      try {
        if (await purgeLink(table, { code, deletedAt }, nowMs)) purge.codes.push(code);
        await commitWrites(table, [{ Delete: { Key } }]);
      } catch (error) {
        purge.failures.push({ code, error });
      }
    });
    first = `${due.at(-1)?.SK}#`;
  }
  return purge;
}

/**
 * Purges a link in three steps. It's replaced by an item that refuses clicks, so its days can't
 * change any more. They are deleted while it still does. Then its code is free. Returns false if the
 * link was restored.
 */
async function purgeLink(
  table: TransactionalTable,
  { code, deletedAt }: { code: string; deletedAt: string },
  nowMs: number,
): Promise<boolean> {
  const Key = linkKey(code);
  const remains: PurgedLink = { purgedAt: new Date(nowMs).toISOString(), since: never };
  const isPurging = {
    ConditionExpression: 'purgedAt > :deletedAt AND attribute_not_exists(#ttl)',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':deletedAt': deletedAt },
  };
  const Put = {
    Item: { ...Key, ...remains },
    ConditionExpression: 'deletedAt = :deletedAt',
    ExpressionAttributeValues: { ':deletedAt': deletedAt },
  };
  const refusal = await commitWrites(table, [{ Put }]);
  // An earlier run may have begun. If it ended, or if the link was restored, there's nothing to do.
  if (refusal && (!refusal.item?.purgedAt || refusal.item.ttl !== undefined)) return false;
  // A link's campaigns sort after its days.
  const [{ PK, SK: first }, { SK: last }] = [dayKey(code, ''), campaignKey(code, '9999-12-31')];
  for (;;) {
    const days = await queryKeys(table, PK, first, last);
    if (days.length === 0) break;
    for (const some of chunk(days, daysAtOnce)) {
      const deletes = some.map((day) => ({ Delete: { Key: day } }));
      if (await commitWrites(table, [{ ConditionCheck: { Key, ...isPurging } }, ...deletes]))
        return false;
    }
  }
  const Update = {
    ...{ Key, UpdateExpression: 'SET #ttl = :ttl', ...isPurging },
    ExpressionAttributeValues: {
      ...isPurging.ExpressionAttributeValues,
      ':ttl': Math.floor(nowMs / 1_000) + remainsSeconds,
    },
  };
  return (await commitWrites(table, [{ Update }])) === undefined;
}

async function queryKeys(
  { client, tableName }: TransactionalTable,
  PK: string,
  first: string,
  last: string,
): Promise<{ PK: string; SK: string }[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: tableName,
      ConsistentRead: true,
      KeyConditionExpression: 'PK = :pk AND SK BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':pk': PK, ':first': first, ':last': last },
      ProjectionExpression: 'PK, SK',
      Limit: keysPerPage,
    }),
  );
  return Items as { PK: string; SK: string }[];
}

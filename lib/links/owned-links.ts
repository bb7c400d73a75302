import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import pLimit from 'p-limit';
import { chunk } from '../chunk.ts';
import { batchGetItems } from '../dynamodb/batch-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { dayKey, linkKey, ownerIndexName } from '../keys.ts';
import type { SumLinksAnswer } from './answer-schemas.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { getLink, getLinks, type Link } from './links.ts';

export interface OwnedLink extends Link {
  code: string;
}

interface LinkPage {
  links: OwnedLink[];
  /** Points to the last link, if there are more. */
  cursor?: string;
}

/** 20 batches, which are far below a function's timeout. */
const linksPerSum = 1_000;
/** A batch has at most 100 items: each link's own item and its day. */
const linksPerBatch = 50;
const batchesAtOnce = 5;

/**
 * Lists an owner's links after the cursor, newest first. The index may lack links created a moment
 * ago. Undefined if the cursor doesn't point to one of this owner's links.
 */
export async function listLinks(
  table: TableAccess,
  owner: string,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<LinkPage | undefined> {
  const found = await findCodes(table, owner, limit, cursor);
  if (!found) return undefined;
  const links = await getOwnLinks(table, owner, found.codes);
  const last = links.at(-1);
  return { links, ...(last && found.hasMore && { cursor: encodeCursor(last.code) }) };
}

/**
 * Sums the clicks of up to 1,000 of an owner's links after the cursor, in total and on one UTC day.
 * Costs two consistent reads a link. Counting doesn't keep this sum, because that would be another
 * item in each click's transaction. Undefined if the cursor doesn't point to one of this owner's
 * links.
 */
export async function sumLinks(
  table: TableAccess,
  owner: string,
  { day, cursor }: { day: string; cursor?: string },
): Promise<SumLinksAnswer | undefined> {
  const found = await findCodes(table, owner, linksPerSum, cursor);
  if (!found) return undefined;
  const batches = await pLimit(batchesAtOnce).map(chunk(found.codes, linksPerBatch), (codes) =>
    batchGetItems(table, [...codes.map(linkKey), ...codes.map((code) => dayKey(code, day))]),
  );
  const items = batches.flat();
  // The index may still have a link that changed its owner.
  const own = new Set(items.filter((item) => item.owner === owner).map(({ PK }) => PK));
  const sum = { links: own.size, clicks: 0, today: 0 };
  for (const { clicks = 0, count = 0 } of items.filter(({ PK }) => own.has(PK))) {
    sum.clicks += clicks;
    sum.today += count;
  }
  const last = found.codes.findLast((code) => own.has(linkKey(code).PK));
  return { ...sum, ...(last && found.hasMore && { cursor: encodeCursor(last) }) };
}

/** The codes after a cursor in the index. Undefined if the cursor isn't to one of the owner's links. */
async function findCodes(table: TableAccess, owner: string, limit: number, cursor?: string) {
  const start = cursor === undefined ? undefined : await findStart(table, owner, cursor);
  if (cursor !== undefined && !start) return undefined;
  const codes = await queryCodes(table, owner, limit + 1, start);
  return { codes: codes.slice(0, limit), hasMore: codes.length > limit };
}

/** The index key of the link that a cursor points to. */
async function findStart(table: TableAccess, owner: string, cursor: string) {
  const code = decodeCursor(cursor);
  if (code === undefined) return undefined;
  const link = await getLink(table, code);
  if (link?.owner !== owner) return undefined;
  return { ...linkKey(code), owner, createdAt: link.createdAt };
}

async function queryCodes(
  { client, tableName }: TableAccess,
  owner: string,
  Limit: number,
  ExclusiveStartKey?: Record<string, string>,
): Promise<string[]> {
  // 1,001 keys are far below the page limit of 1 MB.
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: tableName,
      IndexName: ownerIndexName,
      KeyConditionExpression: '#owner = :owner',
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: { ':owner': owner },
      ScanIndexForward: false,
      Limit,
      ExclusiveStartKey,
    }),
  );
  return Items.map(({ PK }) => PK.slice(linkKey('').PK.length));
}

/**
 * Reads links in the order of their codes. Leaves out links that were deleted or changed owner
 * since.
 */
async function getOwnLinks(
  table: TableAccess,
  owner: string,
  codes: string[],
): Promise<OwnedLink[]> {
  const links = await getLinks(table, codes);
  return codes.flatMap((code) => {
    const link = links.get(code);
    return link?.owner === owner ? [{ ...link, code }] : [];
  });
}

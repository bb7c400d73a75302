import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { linkKey, ownerIndexName } from '../keys.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { getLinks } from './get-links.ts';
import { getLink, type Link } from './links.ts';

export interface OwnedLink extends Link {
  code: string;
}

interface LinkPage {
  links: OwnedLink[];
  /** Points to the last link, if there are more. */
  cursor?: string;
}

/**
 * Lists an owner's links after the cursor, newest first. The index may lack links created a moment
 * ago. Undefined if the cursor doesn't point to one of this owner's links.
 */
export async function listLinks(
  table: TableAccess,
  owner: string,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<LinkPage | undefined> {
  const start = cursor === undefined ? undefined : await findStart(table, owner, cursor);
  if (cursor !== undefined && !start) return undefined;
  const codes = await queryCodes(table, owner, limit + 1, start);
  const links = await getOwnLinks(table, owner, codes.slice(0, limit));
  const last = links.at(-1);
  return { links, ...(last && codes.length > limit && { cursor: encodeCursor(last.code) }) };
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
  // 101 keys are far below the page limit of 1 MB.
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

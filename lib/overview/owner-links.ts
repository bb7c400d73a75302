import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { TableAccess } from '../dynamodb/table.ts';
import { getLinks } from '../links/storage/links.ts';
import { type OwnedLink, ownerQuery, toCode } from '../links/storage/owned-links.ts';

/** An overview covers this many links, the newest. */
export const maxLinks = 10_000;

/** Reads up to {@link maxLinks} codes of an owner, newest first. The index may lack those of a moment ago. */
export async function readOwnerCodes(
  { client, tableName }: TableAccess,
  owner: string,
): Promise<{ codes: string[]; hasMore: boolean }> {
  const query = ownerQuery(tableName, owner);
  const codes: string[] = [];
  for await (const { Items = [] } of paginateQuery({ client, pageSize: maxLinks + 1 }, query)) {
    codes.push(...Items.map((item) => toCode(item as { PK: string })));
    if (codes.length > maxLinks) break;
  }
  return { codes: codes.slice(0, maxLinks), hasMore: codes.length > maxLinks };
}

/** Reads up to 100 links of an owner consistently. */
export async function readOwnerLinks(
  table: TableAccess,
  owner: string,
  codes: string[],
): Promise<OwnedLink[]> {
  const links = await getLinks(table, codes);
  return codes.flatMap((code) => {
    const link = links.get(code);
    // The index may still have a link that was deleted or changed its owner.
    return link?.owner === owner ? [{ ...link, code }] : [];
  });
}

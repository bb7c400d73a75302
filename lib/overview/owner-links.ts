import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import pLimit from 'p-limit';
import { chunk } from '../chunk.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { linkKey, ownerIndexName } from '../keys.ts';
import { getLinks } from '../links/storage/links.ts';
import type { OwnedLink } from '../links/storage/owned-links.ts';

/** An overview covers this many links, the newest. */
export const maxLinks = 10_000;
const linksPerBatch = 100;
const batchesAtOnce = 10;

export interface OwnerLinks {
  links: OwnedLink[];
  /** The owner has more than {@link maxLinks}. */
  hasMore: boolean;
}

/** Reads all links of an owner consistently, newest first. The index may lack those of a moment ago. */
export async function readOwnerLinks(table: TableAccess, owner: string): Promise<OwnerLinks> {
  const codes = await queryCodes(table, owner);
  const batches = chunk(codes.slice(0, maxLinks), linksPerBatch);
  const read = await pLimit(batchesAtOnce).map(batches, async (some) => {
    const links = await getLinks(table, some);
    return some.flatMap((code) => {
      const link = links.get(code);
      // The index may still have a link that was deleted or changed its owner.
      return link?.owner === owner ? [{ ...link, code }] : [];
    });
  });
  return { links: read.flat(), hasMore: codes.length > maxLinks };
}

async function queryCodes({ client, tableName }: TableAccess, owner: string): Promise<string[]> {
  const query = {
    TableName: tableName,
    IndexName: ownerIndexName,
    KeyConditionExpression: '#owner = :owner',
    ExpressionAttributeNames: { '#owner': 'owner' },
    ExpressionAttributeValues: { ':owner': owner },
    ScanIndexForward: false,
  };
  const codes: string[] = [];
  for await (const { Items = [] } of paginateQuery({ client, pageSize: maxLinks + 1 }, query)) {
    codes.push(...Items.map(({ PK }) => PK.slice(linkKey('').PK.length)));
    if (codes.length > maxLinks) break;
  }
  return codes;
}

import { batchGetItems } from '../dynamodb/batch-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { linkKey } from '../keys.ts';
import type { Link } from './links.ts';

const { PK: prefix } = linkKey('');

/**
 * Reads up to 100 links consistently, by code; a code without a link is missing. The codes must
 * differ. Throws if DynamoDB does not return all of them within five reads.
 */
export async function getLinks(table: TableAccess, codes: string[]): Promise<Map<string, Link>> {
  const items = await batchGetItems(table, codes.map(linkKey));
  return new Map(items.map((item) => [item.PK.slice(prefix.length), item as Link]));
}

import { batchGetItems } from '../dynamodb/batch-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { linkKey } from '../keys.ts';
import type { Link } from './links.ts';

const { PK: prefix } = linkKey('');

/**
 * Reads up to 100 links consistently, by their distinct codes. Missing links are left out. Throws
 * if DynamoDB doesn't return all of them within five reads.
 */
export async function getLinks(table: TableAccess, codes: string[]): Promise<Map<string, Link>> {
  const items = await batchGetItems(table, codes.map(linkKey));
  return new Map(items.map((item) => [item.PK.slice(prefix.length), item as Link]));
}

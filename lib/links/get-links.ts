import { BatchGetCommand, type BatchGetCommandInput } from '@aws-sdk/lib-dynamodb';
import { linkKey } from '../keys.ts';
import type { TableAccess } from './days.ts';
import type { Link } from './links.ts';
import { backOff } from './retry.ts';

const maxReads = 5;

/**
 * Reads up to 100 links consistently, by code; a code without a link is missing. The codes must
 * differ. Throws if DynamoDB does not return all of them within five reads.
 */
export async function getLinks(table: TableAccess, codes: string[]): Promise<Map<string, Link>> {
  const links = new Map<string, Link>();
  let keys = codes.map(linkKey);
  for (let attempt = 1; keys.length > 0; attempt += 1) {
    if (attempt > maxReads) throw new Error(`expected all links within ${maxReads} reads`);
    if (attempt > 1) await backOff(attempt);
    keys = await batchGet(table, keys, links);
  }
  return links;
}

/** Adds what DynamoDB returns to the links, and returns the keys that it did not process. */
async function batchGet(
  { client, tableName, abortSignal }: TableAccess,
  Keys: Record<string, string>[],
  links: Map<string, Link>,
) {
  const RequestItems: BatchGetCommandInput['RequestItems'] = {
    [tableName]: { Keys, ConsistentRead: true },
  };
  const { Responses, UnprocessedKeys } = await client.send(new BatchGetCommand({ RequestItems }), {
    abortSignal,
  });
  const prefix = linkKey('').PK.length;
  for (const item of Responses?.[tableName] ?? []) links.set(item.PK.slice(prefix), item as Link);
  return (UnprocessedKeys?.[tableName]?.Keys ?? []) as ReturnType<typeof linkKey>[];
}

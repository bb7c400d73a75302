import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { linkKey } from '../keys.ts';
import { type Day, queryDays } from './days.ts';

/** How long visitors may still be redirected after a change: resolve-link caches a link's URL. */
export const urlCacheSeconds = 30;

export interface Link {
  url: string;
  /** An ISO 8601 instant. */
  createdAt: string;
  /** The total since then. */
  clicks: number;
  /** The `sub` of its creator; undefined for a link from before links had owners. */
  owner?: string;
  /** Tells its creation from any other of the same code. */
  creationId?: string;
  /** Visitors get no redirect. */
  disabled?: boolean;
  /** Who disabled it, while it is disabled. */
  disabledBy?: 'owner' | 'operator';
}

export interface LinkStats {
  link: Link;
  /** Days with clicks, oldest first. */
  days: Day[];
}

/**
 * Reads a link and its days within a range, both ends included. Undefined if the link doesn't exist or
 * this user may not read it; without a user, reads any link. The link is read first, so that another
 * user's link costs one read, like an unknown one.
 */
export async function readLinkStats(
  table: TableAccess,
  code: string,
  { user, ...range }: { user?: string; from?: string; to?: string } = {},
): Promise<LinkStats | undefined> {
  const link = await getLink(table, code);
  if (!link || (user !== undefined && !isReadableBy(user, link))) return undefined;
  return { link, days: await queryDays(table, code, range) };
}

/** Whether this user may read the link; one without an owner is everybody's. */
export function isReadableBy(user: string, { owner = user }: Link): boolean {
  return owner === user;
}

/**
 * Reads a link's own item, consistently, so that it sees every earlier write; undefined if there is
 * no link.
 */
export async function getLink(
  { client, tableName, abortSignal }: TableAccess,
  code: string,
): Promise<Link | undefined> {
  const { Item } = await client.send(
    new GetCommand({ TableName: tableName, Key: linkKey(code), ConsistentRead: true }),
    { abortSignal },
  );
  return Item as Link | undefined;
}

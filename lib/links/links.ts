import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { linkKey } from '../keys.ts';
import { type Day, queryDays, type TableAccess } from './days.ts';

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

/** Reads a link; undefined if there is none. */
export async function readLink(table: TableAccess, code: string): Promise<Link | undefined> {
  // An eventually consistent read costs half, but may miss that the link is new or enabled again.
  const link = await getLink(table, code, false);
  return link && !link.disabled ? link : getLink(table, code, true);
}

/** Reads a link and its days within a range, both ends included; undefined if there is no link. */
export async function readLinkStats(
  table: TableAccess,
  code: string,
  range: { from?: string; to?: string } = {},
): Promise<LinkStats | undefined> {
  const [link, days] = await Promise.all([
    getLink(table, code, true),
    queryDays(table, code, range),
  ]);
  return link && { link, days };
}

/** Whether this user may read the link; one without an owner is everybody's. */
export function isReadableBy(user: string, { owner = user }: Link): boolean {
  return owner === user;
}

/** Reads a link's own item; a consistent read sees every earlier write. */
export async function getLink(
  { client, tableName, abortSignal }: TableAccess,
  code: string,
  consistent: boolean,
): Promise<Link | undefined> {
  const { Item } = await client.send(
    new GetCommand({ TableName: tableName, Key: linkKey(code), ConsistentRead: consistent }),
    { abortSignal },
  );
  return Item as Link | undefined;
}

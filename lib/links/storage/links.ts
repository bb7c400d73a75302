import { listCampaigns } from '../../clicks/campaign-counters.ts';
import type { LinkLife } from '../../clicks/click.ts';
import { batchGetItems, getItem } from '../../dynamodb/requests.ts';
import type { TableAccess } from '../../dynamodb/table.ts';
import { linkKey } from '../../keys.ts';
import type { LinkTexts } from '../rules/link-fields.ts';
import { type Day, queryCampaigns, queryDays, type Totals } from './days.ts';
import type { DaySketches } from './visitor-counts.ts';
import { querySketches } from './visitors.ts';

interface Versioned {
  /**
   * Rises with each change of the link, but not with its clicks, so a standby can tell which of two
   * states is newer. A new item starts at its time in epoch milliseconds, which is above every version of
   * an earlier link with the same code. Undefined for links that haven't changed since before versions.
   */
  version?: number;
}

export interface Link extends Totals, LinkTexts, LinkLife, Versioned {
  /** An ISO 8601 instant. */
  createdAt: string;
  /** When its owner last changed it; undefined for earlier changes. An ISO 8601 instant. */
  updatedAt?: string;
  /**
   * The creator's `sub`; undefined for links created before links had owners. A deleted link has a
   * `deletedOwner` instead, so nobody may read or change it.
   */
  owner?: string;
  disabled?: boolean;
  disabledBy?: 'owner' | 'operator';
}

/**
 * Replaces a link that was deleted for good, and rejects the clicks of its code. Once it has a ttl, all days
 * of the link are gone, and a new link may have the code. It never gets one while the link is taken down.
 */
export interface Tombstone extends LinkLife, Versioned {
  /** An ISO 8601 instant. */
  purgedAt: string;
  ttl?: number;
  disabled?: true;
  disabledBy?: 'operator';
}

/** What has a code. */
export type StoredLink = Link | Tombstone;

export function isTombstone(stored: StoredLink): stored is Tombstone {
  return 'purgedAt' in stored;
}

export interface LinkStats {
  link: Link;
  /** Days with clicks, oldest first. */
  days: Day[];
  /** The items of the days' campaigns and of their values. */
  campaignItems: Awaited<ReturnType<typeof queryCampaigns>>;
  /** The clicks with each UTM parameter's values. Absent if no click had one. */
  campaigns?: ReturnType<typeof listCampaigns>;
  sketches: DaySketches;
}

/**
 * Reads a link and its days within an inclusive range. Undefined if the link doesn't exist or this
 * user may not read it. Without a user, it reads any link. The link is read first, so another
 * user's link costs one read, like an unknown one.
 */
export async function readLinkStats(
  table: TableAccess,
  code: string,
  { user, ...range }: { user?: string; from?: string; to?: string } = {},
): Promise<LinkStats | undefined> {
  const link = await getLink(table, code);
  if (!link || (user !== undefined && !isReadableBy(user, link))) return undefined;
  const [days, campaignItems, sketches] = await Promise.all([
    queryDays(table, code, range),
    queryCampaigns(table, code, range),
    querySketches(table, code, range),
  ]);
  const campaigns = campaignItems.length > 0 && { campaigns: listCampaigns(campaignItems) };
  return { link, days, campaignItems, sketches, ...campaigns };
}

/** Whether this user may read the link. Everyone may read a link without an owner. */
export function isReadableBy(user: string, { owner = user }: Link): boolean {
  return owner === user;
}

/**
 * Reads a link's own item consistently, so it sees every earlier write. Undefined if the link
 * doesn't exist.
 */
export async function getLink(table: TableAccess, code: string): Promise<Link | undefined> {
  const stored = await getStoredLink(table, code);
  return stored && !isTombstone(stored) ? stored : undefined;
}

/** Reads a link as {@link getLink} does, or its tombstone. */
export function getStoredLink(table: TableAccess, code: string): Promise<StoredLink | undefined> {
  return getItem(table, linkKey(code));
}

/**
 * Reads up to 100 links consistently, by their distinct codes. Missing links are left out. Throws
 * if DynamoDB doesn't return all of them within five reads.
 */
export async function getLinks(table: TableAccess, codes: string[]): Promise<Map<string, Link>> {
  const stored = await getStoredLinks(table, codes);
  return new Map([...stored].flatMap(([code, one]) => (isTombstone(one) ? [] : [[code, one]])));
}

/** Reads links as {@link getLinks} does, and tombstones. */
export async function getStoredLinks(
  table: TableAccess,
  codes: string[],
): Promise<Map<string, StoredLink>> {
  const items = await batchGetItems(table, codes.map(linkKey));
  return new Map(items.map((item) => [item.PK.slice(linkKey('').PK.length), item as StoredLink]));
}

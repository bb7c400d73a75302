import { customAlphabet } from 'nanoid';
import type { Write } from 'powertools-idempotency-transactional';
import { base62Digits } from '../../base62.ts';
import { batchGetItems } from '../../dynamodb/requests.ts';
import type { TableAccess } from '../../dynamodb/table.ts';
import { invariant } from '../../invariant.ts';
import { deletedOwner, linkKey, ownerDayKey } from '../../keys.ts';
import type { CreateLinkRequest } from '../api/link-request.ts';
import { pickTexts } from '../rules/link-fields.ts';
import { recordChange } from './link-version.ts';
import { isTombstone, type Link, type StoredLink, type Tombstone } from './links.ts';

/** Mints a code, which may be reserved or taken. */
export const mintCode = customAlphabet(base62Digits, 7);
const disabledByOwner = { disabled: true, disabledBy: 'owner' } as const;

type NewLink = Link & Required<Pick<Link, 'owner'>>;

/** Whether this user has deleted a link and can restore it. */
export function isDeletedBy(owner: string, stored?: StoredLink): boolean {
  return stored !== undefined && !isTombstone(stored) && stored.owner === deletedOwner(owner);
}

/** Whether nobody else may have a code. A purged link frees its code once its days are gone. */
export function keepsCode(stored?: StoredLink): boolean {
  return stored !== undefined && !(isTombstone(stored) && stored.ttl !== undefined);
}

/**
 * Stores a new link, unless its code is taken. If a purged link had the code, the new one doesn't
 * count clicks from before: they may be that link's.
 */
export function putNewLink(code: string, link: NewLink, stored?: StoredLink): Write[] {
  const { purgedAt } = (stored ?? {}) as Partial<Tombstone>;
  const version = Math.max(Date.parse(link.createdAt), (stored?.version ?? 0) + 1);
  // The standby would take the new link for an old state of the purged one.
  invariant(Number.isSafeInteger(version), 'a whole number as the version', version);
  const item = { ...linkKey(code), ...link, version };
  const change = recordChange(code, { version });
  if (purgedAt === undefined) {
    return [{ Put: { Item: item, ConditionExpression: 'attribute_not_exists(PK)' } }, change];
  }
  const Put = {
    Item: { ...item, since: link.createdAt },
    ConditionExpression:
      'attribute_not_exists(PK) OR (purgedAt = :purgedAt AND attribute_exists(#ttl))',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':purgedAt': purgedAt },
  };
  return [{ Put }, change];
}

/** A link without clicks, as it's stored. */
export function toNewLink(
  { disabled, ...texts }: CreateLinkRequest,
  owner: string,
  createdAt: string,
): NewLink {
  return { ...pickTexts(texts), createdAt, clicks: 0, owner, ...(disabled && disabledByOwner) };
}

/** Counts links against their owner's limit for the day, which must be at least that number. */
export function countLinks(
  { owner, createdAt, linksPerDay }: { owner: string; createdAt: string; linksPerDay: number },
  count: number,
): Write {
  const day = createdAt.slice(0, 'yyyy-mm-dd'.length);
  return {
    Update: {
      Key: ownerDayKey(owner, day),
      UpdateExpression: 'SET #ttl = :ttl ADD #links :count',
      ConditionExpression: 'attribute_not_exists(#links) OR #links <= :most',
      ExpressionAttributeNames: { '#ttl': 'ttl', '#links': 'links' },
      ExpressionAttributeValues: {
        ':ttl': expiryOf(day),
        ':count': count,
        ':most': linksPerDay - count,
      },
    },
  };
}

/** The number of links that the owner may still create on the UTC day of an instant. */
export async function readRemainingLinks(
  table: TableAccess,
  { owner, linksPerDay }: { owner: string; linksPerDay: number },
  instant: string,
): Promise<number> {
  const key = ownerDayKey(owner, instant.slice(0, 'yyyy-mm-dd'.length));
  const [today] = await batchGetItems(table, [key]);
  return linksPerDay - (today?.links ?? 0);
}

/** Two days after a UTC day began, in epoch seconds. */
function expiryOf(day: string): number {
  return Date.parse(day) / 1_000 + 2 * 24 * 60 * 60;
}

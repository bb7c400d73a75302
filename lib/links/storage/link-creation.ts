import { customAlphabet } from 'nanoid';
import type { Write } from 'powertools-idempotency-transactional';
import { commitWrites, writeTimeoutMs } from '../../dynamodb/requests.ts';
import type { TransactionalTable } from '../../dynamodb/table.ts';
import { deletedOwner, linkKey, ownerDayKey } from '../../keys.ts';
import type { CreateLinkRequest } from '../api/link-request.ts';
import { pickTexts } from '../rules/link-fields.ts';
import { isReserved } from '../rules/reserved-codes.ts';
import { codeTakenError, quotaExceededError } from './link-answer.ts';
import { getStoredLink, isPurged, type Link, type PurgedLink, type StoredLink } from './links.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const mintCode = customAlphabet(alphabet, 7);
const maxMintAttempts = 5;
const disabledByOwner = { disabled: true, disabledBy: 'owner' } as const;

/** Mints a code that isn't reserved. A link may have it already. */
export function mintFreeCode(): string {
  let code = mintCode();
  while (isReserved(code)) code = mintCode();
  return code;
}

interface OwnedRequest extends CreateLinkRequest {
  /** The creator's `sub`. */
  owner: string;
  /** The owner's daily limit, by UTC day. */
  linksPerDay: number;
}

type NewLink = Link & Required<Pick<Link, 'owner'>>;

/**
 * Stores a link under its code or a new code of 7 letters and digits, counts it against its owner's
 * limit for the UTC day, and returns its code. Never changes an existing link. Throws an HttpError of
 * 429 beyond the limit, and of 409 if a requested code is taken, which counts too. Also throws if
 * DynamoDB stays busy or doesn't answer.
 */
export async function createLink(
  table: TransactionalTable,
  { owner, code: ownCode, linksPerDay, ...request }: OwnedRequest,
  mint = mintCode,
): Promise<string> {
  const link = toNewLink(request, owner, new Date().toISOString());
  const quota = countLinks({ ...link, linksPerDay }, 1);
  const deadlineMs = Date.now() + writeTimeoutMs;
  /** Counts the link and commits its write, if any. Returns whether its code was free. */
  const commit = async (...writes: Write[]) => {
    const refusal = await commitWrites(table, [...writes, quota], deadlineMs);
    if (refusal?.key.PK === quota.Update?.Key.PK) throw quotaExceededError(linksPerDay);
    return !refusal;
  };
  if (ownCode !== undefined) {
    const { isTaken, stored } = await findStoredLink(table, ownCode);
    if (!isTaken && (await commit(putNewLink(ownCode, link, stored)))) return ownCode;
    await commit();
    throw codeTakenError(ownCode, isDeletedBy(owner, stored));
  }
  for (let attempt = 1; attempt <= maxMintAttempts; attempt += 1) {
    const code = mint();
    if (!isReserved(code) && (await commit(putNewLink(code, link)))) return code;
  }
  throw new Error(`expected a free code within ${maxMintAttempts} attempts; all were taken`);
}

/**
 * The codes whose links prevent a new one. A visitor who capitalizes a code reaches its lower-case
 * form, so nobody may take that visitor away from a lower-case code.
 */
export function listConflictingCodes(code: string): string[] {
  return [...new Set([code, code.toLowerCase()])];
}

/**
 * Finds what has a code, and whether it's taken. A transaction on a link conflicts with those that count
 * its clicks, so this is a read.
 */
async function findStoredLink(table: TransactionalTable, code: string) {
  const access = { ...table, abortSignal: AbortSignal.timeout(writeTimeoutMs) };
  const stored = await Promise.all(
    listConflictingCodes(code).map((other) => getStoredLink(access, other)),
  );
  return { isTaken: isReserved(code) || stored.some(keepsCode), stored: stored[0] };
}

/** Whether this user has deleted a link and can restore it. */
export function isDeletedBy(owner: string, stored?: StoredLink): boolean {
  return stored !== undefined && !isPurged(stored) && stored.owner === deletedOwner(owner);
}

/** Whether nobody else may have a code. A purged link frees its code once its days are gone. */
export function keepsCode(stored?: StoredLink): boolean {
  return stored !== undefined && !(isPurged(stored) && stored.ttl !== undefined);
}

/**
 * Stores a new link, unless its code is taken. If a purged link had the code, the new one doesn't
 * count clicks from before: they may be that link's.
 */
export function putNewLink(code: string, link: NewLink, stored?: StoredLink): Write {
  const { purgedAt } = (stored ?? {}) as Partial<PurgedLink>;
  if (purgedAt === undefined) {
    const Item = { ...linkKey(code), ...link };
    return { Put: { Item, ConditionExpression: 'attribute_not_exists(PK)' } };
  }
  return {
    Put: {
      Item: { ...linkKey(code), ...link, since: link.createdAt },
      ConditionExpression:
        'attribute_not_exists(PK) OR (purgedAt = :purgedAt AND attribute_exists(#ttl))',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':purgedAt': purgedAt },
    },
  };
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

/** Two days after a UTC day began, in epoch seconds. */
function expiryOf(day: string): number {
  return Date.parse(day) / 1_000 + 2 * 24 * 60 * 60;
}

import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { getItem, updateItem } from '../dynamodb/requests.ts';
import { table } from '../dynamodb/table.ts';
import { apiKeyItemKey } from '../keys.ts';
import { logger } from '../telemetry/powertools.ts';
import { wallClock } from '../wall-clock.ts';
import { hashKey, keyCacheSeconds, readKeyId } from './api-key.ts';
import type { StoredKey } from './api-keys.ts';
import type { KeyScope } from './key-schemas.ts';

const writeTimeoutMs = 500;
const ages = { ttl: keyCacheSeconds * 1_000, ...wallClock };
const knownKeys = new LRUCache<string, StoredKey>({ max: 1_000, ...ages });
/** Apart from the known keys, so that made-up ones can't displace them. */
const unknownIds = new LRUCache<string, true>({ max: 10_000, ...ages });
const noHash = hashKey('');

/** The user for whom a valid key acts, and what it may do. */
interface CheckedKey {
  id: string;
  user: string;
  scope: KeyScope;
}

/**
 * Checks the key in an Authorization header. Undefined if it's malformed, unknown, revoked or
 * expired: one answer, and for all but malformed ones one read. Throws if the key can't be read.
 */
export async function checkKey(authorization = ''): Promise<CheckedKey | undefined> {
  const [, key = ''] = /^Bearer (\w{1,80})$/i.exec(authorization) ?? [];
  const id = readKeyId(key);
  if (id === undefined) return undefined;
  const stored = await findKey(id);
  const isSameHash = timingSafeEqual(
    Buffer.from(hashKey(key)),
    Buffer.from(stored?.hash ?? noHash),
  );
  if (!stored || !isSameHash || Date.parse(stored.expiresAt) <= Date.now()) return undefined;
  await recordUse(id, stored);
  return { id, user: stored.user, scope: stored.scope };
}

async function findKey(id: string): Promise<StoredKey | undefined> {
  const known = knownKeys.get(id);
  if (known) return known;
  if (unknownIds.has(id)) return undefined;
  // A key's age counts from the request, because it may be revoked before the response.
  const start = Date.now();
  const stored = await getItem<StoredKey>(table, apiKeyItemKey(id));
  if (stored) knownKeys.set(id, stored, { start });
  else unknownIds.set(id, true, { start });
  return stored;
}

/** Stores the hour of a key's latest use: one write an hour, if possible. */
async function recordUse(id: string, stored: StoredKey): Promise<void> {
  const hour = `${new Date().toISOString().slice(0, 'yyyy-mm-ddThh'.length)}:00:00.000Z`;
  if (stored.lastUsedAt === hour) return;
  stored.lastUsedAt = hour;
  try {
    const abortSignal = AbortSignal.timeout(writeTimeoutMs);
    await updateItem(
      { ...table, abortSignal },
      {
        Key: apiKeyItemKey(id),
        UpdateExpression: 'SET lastUsedAt = :hour',
        // A revoked key must not come back as an item with nothing else.
        ConditionExpression:
          'attribute_exists(PK) AND (attribute_not_exists(lastUsedAt) OR lastUsedAt < :hour)',
        ExpressionAttributeValues: { ':hour': hour },
      },
    );
  } catch (error) {
    logger.warn("A key's latest use could not be stored.", { error });
  }
}

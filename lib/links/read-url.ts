import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { LRUCache } from 'lru-cache';
import { baseClient, tableName } from '../dynamodb/base-client.ts';
import { linkKey } from '../keys.ts';
import { expiredError, goneError } from './code.ts';
import { urlCacheSeconds } from './url-cache-seconds.ts';

const urls = new LRUCache<string, string>({
  // An environment handles one visit at a time: at 10 ms each, 3,000 before the first expires. With
  // the longest URLs they take 6.5 MB.
  max: 3_000,
  ttl: urlCacheSeconds * 1_000,
  // While Lambda freezes an environment, its timers and its monotonic clock can stand still, so
  // each lookup reads the wall clock.
  perf: Date,
  ttlResolution: 0,
});

/**
 * A link's URL, possibly from the cache; undefined if the link doesn't exist. Throws an HttpError
 * of 410 for a disabled or expired link. Those and unknown links are read each time, so new and
 * revived links work at once.
 */
export async function readUrl(code: string, isConsistent = true): Promise<string | undefined> {
  const known = urls.get(code);
  if (known !== undefined) return known;
  // docs/decisions.md#one-read-for-a-code explains why there's no eventually consistent read first.
  const { PK, SK } = linkKey(code);
  const Key = { PK: { S: PK }, SK: { S: SK } };
  const { Item } = await baseClient.send(
    new GetItemCommand({ TableName: tableName, Key, ConsistentRead: isConsistent }),
  );
  if (Item?.disabled?.BOOL) throw goneError(code);
  const url = Item?.url?.S;
  if (url !== undefined) cacheUrl(code, url, Item?.expiresAt?.S);
  return url;
}

/** Caches a URL until the link expires at the latest. Throws an HttpError of 410 if it has expired. */
function cacheUrl(code: string, url: string, expiresAt?: string): void {
  const leftMs =
    expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - Date.now();
  if (leftMs <= 0) throw expiredError(code);
  urls.set(code, url, { ttl: Math.min(leftMs, urlCacheSeconds * 1_000) });
}

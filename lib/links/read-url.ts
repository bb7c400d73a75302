import { LRUCache } from 'lru-cache';
import { table } from '../dynamodb/table.ts';
import { expiredError, goneError } from './link-request.ts';
import { getLink, type Link, urlCacheSeconds } from './links.ts';

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
export async function readUrl(code: string): Promise<string | undefined> {
  const known = urls.get(code);
  if (known !== undefined) return known;
  // docs/decisions/one-read-for-a-code.md explains why there's no eventually consistent read first.
  const link = await getLink(table, code);
  if (link?.disabled) throw goneError(code);
  if (link) cacheUrl(code, link);
  return link?.url;
}

/** Caches a URL until the link expires at the latest. Throws an HttpError of 410 if it has expired. */
function cacheUrl(code: string, { url, expiresAt }: Link): void {
  const leftMs =
    expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - Date.now();
  if (leftMs <= 0) throw expiredError(code);
  urls.set(code, url, { ttl: Math.min(leftMs, urlCacheSeconds * 1_000) });
}

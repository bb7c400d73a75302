import { LRUCache } from 'lru-cache';
import { table } from '../dynamodb/table.ts';
import { goneError } from './link-request.ts';
import { getLink, urlCacheSeconds } from './links.ts';

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
 * of 410 for a disabled link. Unknown and disabled links are read each time, so new and re-enabled
 * links work at once.
 */
export async function readUrl(code: string): Promise<string | undefined> {
  const known = urls.get(code);
  if (known !== undefined) return known;
  // docs/decisions/one-read-for-a-code.md explains why there's no eventually consistent read first.
  const link = await getLink(table, code);
  if (link?.disabled) throw goneError(code);
  if (link) urls.set(code, link.url);
  return link?.url;
}

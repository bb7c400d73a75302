import querystring from 'node:querystring';
import type { GetItemCommandOutput } from '@aws-sdk/client-dynamodb';
import { LRUCache } from 'lru-cache';
import { AwsClient } from '../aws/aws-client.ts';
import { nonEmptyString, readEnv } from '../config.ts';
import { isCode, linkKey, maxCodeLength } from '../keys.ts';
import { expiredError, goneError, notFoundError } from './code.ts';
import { urlCacheSeconds } from './link-update.ts';

const { TABLE_NAME: tableName } = readEnv({ TABLE_NAME: nonEmptyString });
const dynamoDb = new AwsClient('DynamoDB');

/** Where a link leads, and whether it takes the visitor's query along. */
interface Destination {
  url: string;
  forwardsQuery: boolean;
}

const destinations = new LRUCache<string, Destination>({
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
 * Where a link leads, possibly from the cache; undefined if the link doesn't exist. Throws an HttpError
 * of 404 for a deleted link, and of 410 for a disabled or expired one. Those and unknown links are
 * read each time, so new and revived links work at once.
 */
export async function readDestination(
  code: string,
  isConsistent = true,
): Promise<Destination | undefined> {
  const known = destinations.get(code);
  if (known !== undefined) return known;
  // docs/decisions.md#one-read-for-a-code explains why there's no eventually consistent read first.
  const { PK, SK } = linkKey(code);
  const Key = { PK: { S: PK }, SK: { S: SK } };
  const input = { TableName: tableName, Key, ConsistentRead: isConsistent };
  const { Item } = await dynamoDb.send<GetItemCommandOutput>('GetItem', input);
  // Its code is still its own, so visitors don't get to the link with the code in lower case.
  if (Item?.deletedAt) throw notFoundError(code);
  if (Item?.disabled?.BOOL) throw goneError(code);
  const url = Item?.url?.S;
  if (url === undefined) return undefined;
  const destination = { url, forwardsQuery: Item?.forwardQuery?.BOOL ?? false };
  remember(code, destination, Item?.expiresAt?.S);
  return destination;
}

/** Caches a destination until the link expires at the latest. Throws an HttpError of 410 if it has expired. */
function remember(code: string, destination: Destination, expiresAt?: string): void {
  const leftMs =
    expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - Date.now();
  if (leftMs <= 0) throw expiredError(code);
  destinations.set(code, destination, { ttl: Math.min(leftMs, urlCacheSeconds * 1_000) });
}

// The longest code, and 30 percent-encoded characters of three bytes.
const maxPathLength = maxCodeLength + 270;

/** The link that a visitor's path stands for. Throws an {@link HttpError} of 404 or 410. */
export async function findLink(path: string): Promise<{ code: string } & Destination> {
  for (const [index, code] of listSpellings(path).entries()) {
    // The second read costs half as much: anyone can cause it.
    const destination = await readDestination(code, index === 0);
    if (destination) return { code, ...destination };
  }
  throw notFoundError(path);
}

/**
 * The codes that a path may stand for, at most two: without what chats and documents append, with which
 * no code can end, such as a period or a zero-width space, and then in lower case. A path that begins with
 * a dot, such as .env, is a program's and stands for none.
 */
export function listSpellings(path: string): string[] {
  if (path.length > maxPathLength) return [];
  const [, code = ''] =
    /^[^\w.-]*([\w-]+(?:\.[A-Za-z0-9][\w-]*)*)(?:[^\w-][^A-Za-z0-9]*)?$/.exec(
      querystring.unescape(path),
    ) ?? [];
  return isCode(code) ? [...new Set([code, code.toLowerCase()])] : [];
}

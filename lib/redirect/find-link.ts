import querystring from 'node:querystring';
import type { GetItemCommandOutput } from '@aws-sdk/client-dynamodb';
import { LRUCache } from 'lru-cache';
import { CircuitBreaker } from '../aws/aws-client.ts';
import { dynamoDb, dynamoDbTimeoutMs } from '../aws/dynamodb-client.ts';
import { nonEmptyString, readEnv, wholeNumber } from '../config.ts';
import { isCode, linkKey, maxCodeLength } from '../keys.ts';
import { expiredError, goneError, notFoundError, unavailableError } from '../links/rules/code.ts';
import { logger } from '../telemetry/powertools.ts';
import { urlCacheSeconds } from './url-cache.ts';

const { TABLE_NAME: tableName, STALE_LINK_SECONDS: staleLinkSeconds } = readEnv({
  TABLE_NAME: nonEmptyString,
  STALE_LINK_SECONDS: wholeNumber,
});

/** How long a visitor waits for DynamoDB, retries included: for both spellings of a code. */
const readTimeoutMs = 2 * dynamoDbTimeoutMs;
/** And if there's a stale link to fall back to. Then the bus and the queue may take as long again. */
const refreshTimeoutMs = 200;

/** Open while DynamoDB fails. */
const breaker = new CircuitBreaker();

/** Where a link leads, and whether it takes the visitor's query along. */
interface Destination {
  code: string;
  url: string;
  forwardsQuery: boolean;
}

/** A link as of its last read. Times are in epoch milliseconds. */
interface KnownLink extends Destination {
  isDeleted: boolean;
  isDisabled: boolean;
  expiresAtMs: number;
  readAtMs: number;
}

const links = new LRUCache<string, KnownLink>({
  // An environment handles one visit at a time: at 10 ms each, 3,000 before the first expires. With
  // the longest URLs they take 6.5 MB.
  max: 3_000,
});

/** Connects to DynamoDB. Never throws. */
export function connectToLinks(): Promise<void> {
  return dynamoDb.connect();
}

/**
 * The link that a visitor's path stands for, possibly from the cache. Throws an HttpError of 404 for an
 * unknown or deleted link, of 410 for a disabled or expired one, and of 503 if DynamoDB can't be read
 * and the cache doesn't have the link.
 */
export async function findLink(path: string): Promise<Destination> {
  const giveUpAtMs = Date.now() + readTimeoutMs;
  const spellings = listSpellings(path);
  for (const [index, code] of spellings.entries()) {
    // The second read costs half as much: anyone can cause it.
    const link = await lookUp(code, { isConsistent: index === 0, giveUpAtMs });
    if (!link) continue;
    // While DynamoDB is down, nothing else says that no link has the visitor's spelling.
    links.set(spellings[0] ?? code, link);
    return follow(link);
  }
  throw notFoundError(path);
}

function follow(link: KnownLink): Destination {
  if (link.isDeleted) throw notFoundError(link.code);
  if (link.isDisabled) throw goneError(link.code);
  if (link.expiresAtMs <= Date.now()) throw expiredError(link.code);
  return link;
}

interface Read {
  isConsistent: boolean;
  giveUpAtMs: number;
}

/** A link from the cache while it's fresh, or else from the table, or else from the cache. */
async function lookUp(code: string, read: Read): Promise<KnownLink | undefined> {
  const known = links.get(code);
  if (known && isFresh(known)) return known;
  const stale = known && isUsable(known) ? known : undefined;
  if (stale && breaker.isOpen) return stale;
  try {
    const link = await readLink(code, read, stale ? refreshTimeoutMs : undefined);
    if (!link) links.delete(code);
    return link;
  } catch (error) {
    breaker.open();
    if (!stale) {
      logger.error('A link could not be read.', { error });
      throw unavailableError(code);
    }
    const ageSeconds = Math.round((Date.now() - stale.readAtMs) / 1_000);
    logger.warn('A link could not be read; using its last known state.', { error, ageSeconds });
    return stale;
  }
}

/** Links that don't redirect are read each time, so that they work as soon as they're enabled. */
function isFresh({ isDeleted, isDisabled, expiresAtMs, readAtMs }: KnownLink): boolean {
  const nowMs = Date.now();
  if (isDeleted || isDisabled || expiresAtMs <= nowMs) return false;
  return nowMs <= readAtMs + urlCacheSeconds * 1_000;
}

function isUsable({ readAtMs }: KnownLink): boolean {
  return Date.now() < readAtMs + staleLinkSeconds * 1_000;
}

/** A link as the table has it now; undefined if the code is free. */
async function readLink(
  code: string,
  { isConsistent, giveUpAtMs }: Read,
  timeoutMs = Math.max(0, giveUpAtMs - Date.now()),
): Promise<KnownLink | undefined> {
  // docs/decisions.md#one-read-for-a-code explains why there's no eventually consistent read first.
  const { PK, SK } = linkKey(code);
  const input = {
    TableName: tableName,
    Key: { PK: { S: PK }, SK: { S: SK } },
    ConsistentRead: isConsistent,
    ReturnConsumedCapacity: 'TOTAL',
  };
  const abortSignal = AbortSignal.timeout(timeoutMs);
  const readAtMs = Date.now();
  const output = await dynamoDb.send<GetItemCommandOutput>('GetItem', input, abortSignal);
  if (!output.ConsumedCapacity) {
    // Otherwise it would mean that the link doesn't exist.
    throw new Error("expected DynamoDB's consumed capacity; got none. Did something else answer?");
  }
  const { url, forwardQuery, deletedAt, disabled, expiresAt } = output.Item ?? {};
  // A tombstone has no URL. It counts only while an operator keeps the link down.
  if (url === undefined && deletedAt === undefined && disabled === undefined) return undefined;
  return {
    code,
    url: url?.S ?? '',
    forwardsQuery: forwardQuery?.BOOL ?? false,
    // A deleted link's code is still its own, so visitors don't get to the link in lower case.
    isDeleted: deletedAt !== undefined,
    isDisabled: disabled?.BOOL ?? false,
    expiresAtMs: expiresAt?.S === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt.S),
    readAtMs,
  };
}

// The longest code after 30 percent-encoded characters of three bytes, and the character that ends it.
const maxReadLength = maxCodeLength + 30 * 9 + 9;
const codeAtStart = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9][A-Za-z0-9_-]*)*/;
// Signs. A dot begins a path such as ".env", which is never a link.
const signsBefore = /^[^\p{LC}\p{N}_.-]*/u;
// Signs, and then anything. The rest of another path or of a mistyped word isn't appended: "/stats", "ß".
const endOfCode = /^(?:[^A-Za-z0-9]*$|\/?[^\p{LC}\p{N}\p{M}_./-]|\.[^\p{LC}\p{N}/])/u;

/**
 * The codes that a path may stand for, at most two: without what chats, documents and mail programs put
 * around it, which can't be part of a code, and then in lower case.
 */
export function listSpellings(path: string): string[] {
  const text = querystring.unescape(path.slice(0, maxReadLength)).replace(signsBefore, '');
  const [found = ''] = codeAtStart.exec(text) ?? [];
  if (!isCode(found) || !endOfCode.test(text.slice(found.length))) return [];
  return [...new Set([found, found.toLowerCase()])];
}

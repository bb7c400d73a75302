import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { chunk } from '../chunk.ts';
import { batchGetItems } from '../dynamodb/requests.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { sumsKey } from '../keys.ts';
import type { DayCount } from '../links/api/answer-schemas.ts';
import type { Link } from '../links/storage/links.ts';
import { addSums, noSums, packDays, type Sums, toSums, unpackDays } from './day-sums.ts';

/** A link's clicks by day. `earlier` are those before the first of these days. */
export interface LinkSums {
  days: readonly DayCount[];
  earlier: Sums;
}

/** What a link's sums were made from. */
export interface StoredSums extends LinkSums {
  createdAt: string;
  clicks: number;
}

/** Other versions than this one are read from the days again, and replaced. */
const version = 1;
/** Takes about 4 KB. A range that begins earlier reads the days themselves. */
const maxDays = 400;
/** More than a year, so that somebody who looks at their links once a year finds their sums. */
const keptSeconds = 400 * 24 * 60 * 60;
const readsAtOnce = 100;
const writesAtOnce = 25;

export function totalOf({ days, earlier }: LinkSums): number {
  return days.reduce((sum, { count }) => sum + count, earlier.clicks);
}

/**
 * Whether sums are those of a link as it is. They were stored after the link's total was read and found
 * equal, and days only rise, so of all earlier states, only the present one has the present total. A new
 * link with a purged one's code was created later.
 */
export function isProven(sums: StoredSums, { createdAt, clicks }: Link): boolean {
  return sums.createdAt === createdAt && sums.clicks === clicks;
}

/** Reads stored sums, by code. An old state doesn't harm, so the reads cost half. */
export async function readStoredSums(
  table: TableAccess,
  codes: readonly string[],
): Promise<Map<string, StoredSums>> {
  const batches = chunk([...codes], readsAtOnce).map((some) =>
    batchGetItems(table, some.map(sumsKey), { ConsistentRead: false }),
  );
  const items = (await Promise.all(batches)).flat();
  return new Map(
    items.flatMap(({ PK, ...item }) => {
      const code = PK.slice(sumsKey('').PK.length);
      const stored = parseStoredSums(item);
      return stored ? [[code, stored]] : [];
    }),
  );
}

/** Parses the sums in an item. Undefined for another version, and for days that don't sum to their total. */
export function parseStoredSums(item: Record<string, unknown>): StoredSums | undefined {
  if (item.version !== version) return undefined;
  const { createdAt, clicks, earlier, days } = item as unknown as StoredItem;
  const [earlierClicks = 0, people = 0, bots = 0] = earlier;
  const stored = {
    createdAt,
    clicks,
    earlier: { clicks: earlierClicks, people, bots },
    days: unpackDays(days),
  };
  return totalOf(stored) === clicks ? stored : undefined;
}

interface StoredItem {
  createdAt: string;
  clicks: number;
  earlier: number[];
  days: string;
}

/** Keeps the newest days, and the sum of the others. */
export function limitDays({ days, earlier }: LinkSums): LinkSums {
  const others = days.slice(0, -maxDays).map(toSums);
  return { days: days.slice(-maxDays), earlier: others.reduce(addSums, earlier) };
}

/** Stores proven sums, by code. One that can't be written is made again by the next reader. */
export async function storeSums(
  { client, tableName, abortSignal }: TableAccess,
  sums: readonly (readonly [code: string, StoredSums])[],
  nowMs: number,
): Promise<void> {
  const ttl = Math.floor(nowMs / 1_000) + keptSeconds;
  const puts = sums.map(([code, { createdAt, clicks, earlier, days }]) => ({
    PutRequest: {
      Item: {
        ...sumsKey(code),
        version,
        createdAt,
        clicks,
        earlier: [earlier.clicks, earlier.people, earlier.bots],
        days: packDays(days),
        ttl,
      },
    },
  }));
  const writes = chunk(puts, writesAtOnce).map((some) =>
    client.send(new BatchWriteCommand({ RequestItems: { [tableName]: some } }), { abortSignal }),
  );
  await Promise.allSettled(writes);
}

export const emptySums: LinkSums = { days: [], earlier: noSums };

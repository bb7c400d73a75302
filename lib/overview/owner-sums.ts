import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { chunk } from '../chunk.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { wallClock } from '../wall-clock.ts';
import { findSums, readOldSums, type SummedLink } from './link-sums.ts';
import { readOwnerCodes, readOwnerLinks } from './owner-links.ts';

/** Another range or tag, chosen within this time, doesn't read the links again. */
const keptMs = 10_000;
/** Sums of this many links are kept, each with at most 400 days. */
const maxKeptLinks = 20_000;
const linksPerBatch = 100;
const batchesAtOnce = 10;

export interface OwnerSums {
  links: SummedLink[];
  hasMore: boolean;
  readAtMs: number;
}

export interface ReadTimes {
  nowMs: number;
  /** No more reads of days begin after this time, in epoch milliseconds. */
  deadlineMs: number;
}

const kept = new LRUCache<string, OwnerSums>({
  maxSize: maxKeptLinks,
  sizeCalculation: ({ links }) => links.length + 1,
  ttl: keptMs,
  ...wallClock,
  // The sums in an entry may be newer than its list of links, whose age counts.
  noUpdateTTL: true,
});

/**
 * Sums the chosen ones of an owner's links. Sums that there was no time for are old, and the next call reads
 * them.
 */
export async function sumOwnerLinks(
  table: TableAccess,
  owner: string,
  choose: (links: readonly SummedLink[]) => SummedLink[],
  { nowMs, deadlineMs }: ReadTimes,
): Promise<OwnerSums> {
  const known = kept.get(owner) ?? (await findOwnerSums(table, owner, nowMs));
  const chosen = choose(known.links);
  if (!chosen.some(({ isOld }) => isOld)) return { ...known, links: chosen };
  const links = await readOldSums(table, chosen, deadlineMs);
  const byCode = new Map(links.map((summed) => [summed.link.code, summed]));
  const all = known.links.map((summed) => byCode.get(summed.link.code) ?? summed);
  kept.set(owner, { ...known, links: all });
  return { ...known, links };
}

async function findOwnerSums(
  table: TableAccess,
  owner: string,
  readAtMs: number,
): Promise<OwnerSums> {
  const { codes, hasMore } = await readOwnerCodes(table, owner);
  // DynamoDB reads some batches while others are decoded.
  const batches = await pLimit(batchesAtOnce).map(chunk(codes, linksPerBatch), async (some) =>
    findSums(table, await readOwnerLinks(table, owner, some)),
  );
  const sums = { links: batches.flat(), hasMore, readAtMs };
  kept.set(owner, sums);
  return sums;
}

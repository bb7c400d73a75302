import pLimit from 'p-limit';
import { chunk } from '../chunk.ts';
import { botAttribute, humanAttribute } from '../clicks/breakdowns.ts';
import { addDays, firstDay, lastDay } from '../days.ts';
import { queryRange } from '../dynamodb/requests.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { dayKey } from '../keys.ts';
import type { DayCount } from '../links/api/answer-schemas.ts';
import { toDay, visitorsOf } from '../links/storage/days.ts';
import { getLinks, type Link } from '../links/storage/links.ts';
import type { OwnedLink } from '../links/storage/owned-links.ts';
import type { DayRange } from './day-sums.ts';
import {
  emptySums,
  isProven,
  type LinkSums,
  limitDays,
  readStoredSums,
  storeSums,
  totalOf,
} from './stored-sums.ts';

const readsAtOnce = 50;
/** A batch takes a tenth of a second on a whole vCPU, so a deadline is missed by that much at most. */
const linksPerBatch = 50;
/** Late clicks are rare, and usually on one of these days. If they aren't, all days are read. */
const lateDays = 2;

export interface SummedLink {
  link: OwnedLink;
  sums: LinkSums;
  /** These are the stored sums of an earlier state of the link, if there are any. */
  isOld?: true;
}

/**
 * Sums links' clicks by day. Reads the stored sums, and the days only of those links that have other
 * totals, as {@link readOldSums} does.
 */
export async function sumLinks(
  table: TableAccess,
  links: readonly OwnedLink[],
  deadlineMs: number,
): Promise<SummedLink[]> {
  return readOldSums(table, await findSums(table, links), deadlineMs);
}

/** Finds links' stored sums. Without a click, there's nothing to find. */
export async function findSums(
  table: TableAccess,
  links: readonly OwnedLink[],
): Promise<SummedLink[]> {
  const clicked = links.filter(({ clicks }) => clicks > 0);
  const codes = clicked.map(({ code }) => code);
  const stored = await readStoredSums(table, codes);
  return links.map((link) => {
    if (link.clicks === 0) return { link, sums: emptySums };
    const known = stored.get(link.code);
    if (known?.createdAt !== link.createdAt) return { link, sums: emptySums, isOld: true };
    return isProven(known, link) ? { link, sums: known } : { link, sums: known, isOld: true };
  });
}

/**
 * Reads the newest days of the links whose sums are old, and stores these sums. It does so for at least
 * 50 links, and after the deadline, in epoch milliseconds, leaves the others old.
 */
export async function readOldSums(
  table: TableAccess,
  links: readonly SummedLink[],
  deadlineMs: number,
): Promise<SummedLink[]> {
  const summed = links.filter(({ isOld }) => !isOld);
  const batches = chunk(
    links.filter(({ isOld }) => isOld),
    linksPerBatch,
  );
  for (const [index, batch] of batches.entries()) {
    const isLate = index > 0 && Date.now() >= deadlineMs;
    summed.push(...(isLate ? batch : await readBatch(table, batch)));
  }
  return summed;
}

/** What the days said, and whether they were proven to be all of one state of the link. */
interface Read {
  link: OwnedLink;
  sums: LinkSums;
  isProven: boolean;
}

async function readBatch(table: TableAccess, old: readonly SummedLink[]): Promise<SummedLink[]> {
  const newest = await readAndProve(table, old, readNewestDays);
  // An older day has a late click, or a click arrived meanwhile.
  const unproven = old.filter((summed, index) => hasStoredDays(summed) && !newest[index]?.isProven);
  const complete = await readAndProve(table, unproven, readAllDays);
  const byCode = new Map([...newest, ...complete].map((read) => [read.link.code, read]));
  const reads = [...byCode.values()];
  await storeSums(table, reads.flatMap(toStored), Date.now());
  return reads.map(({ link, sums }) => ({ link, sums }));
}

/** If not, its newest days are all of its days. */
function hasStoredDays({ sums }: SummedLink): boolean {
  return sums.days.length > 0;
}

function toStored({ link, sums, isProven }: Read) {
  if (!isProven) return [];
  const { code, createdAt } = link;
  return [[code, { createdAt, clicks: totalOf(sums), ...limitDays(sums) }] as const];
}

/**
 * Reads links' days, and then their totals. A total is the sum of the link's days, which only rise: if it
 * equals the sum of those that were read before, none of them has changed in between.
 */
async function readAndProve(
  table: TableAccess,
  links: readonly SummedLink[],
  read: (table: TableAccess, summed: SummedLink) => Promise<LinkSums>,
): Promise<Read[]> {
  if (links.length === 0) return [];
  const sums = await pLimit(readsAtOnce).map(links, (summed) => read(table, summed));
  const after = await getLinks(
    table,
    links.map(({ link }) => link.code),
  );
  return links.map(({ link }, index) => {
    const ofLink = sums[index] ?? emptySums;
    return { link, sums: ofLink, isProven: hasTotal(after.get(link.code), link, ofLink) };
  });
}

function hasTotal(now: Link | undefined, { createdAt }: Link, sums: LinkSums): boolean {
  return now?.createdAt === createdAt && now.clicks === totalOf(sums);
}

/** Reads the days since the newest stored one, and those before from what's stored. */
async function readNewestDays(table: TableAccess, summed: SummedLink): Promise<LinkSums> {
  const { days, earlier } = summed.sums;
  const newest = days.at(-1)?.date;
  if (newest === undefined) return readAllDays(table, summed);
  const from = addDays(newest, -lateDays);
  const kept = days.filter(({ date }) => date < from);
  const read = await readDaySums(table, summed.link.code, { from, to: lastDay });
  return { days: [...kept, ...read], earlier };
}

async function readAllDays(table: TableAccess, { link }: SummedLink): Promise<LinkSums> {
  const days = await readDaySums(table, link.code, { from: firstDay, to: lastDay });
  return { days, earlier: emptySums.earlier };
}

const onlySums = {
  ProjectionExpression: `SK, #count, ${humanAttribute}, ${botAttribute}`,
  ExpressionAttributeNames: { '#count': 'count' },
};

/** Reads a link's clicks on the days of a range, oldest first. */
export async function readDaySums(
  table: TableAccess,
  code: string,
  { from, to }: DayRange,
): Promise<DayCount[]> {
  const pages = queryRange(table, dayKey(code, from), dayKey(code, to), onlySums);
  const items = (await Array.fromAsync(pages)).flat();
  return items.map((item) => {
    const { date, count, numbers } = toDay(item as { SK: string });
    return { date, count, ...visitorsOf(numbers) };
  });
}

/** Whether the stored days begin after a range that has clicks before them. */
export function beginsEarlier({ days, earlier }: LinkSums, from: string): boolean {
  return earlier.clicks > 0 && from < (days[0]?.date ?? lastDay);
}

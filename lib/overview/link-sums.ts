import pLimit from 'p-limit';
import { chunk } from '../chunk.ts';
import { botAttribute, humanAttribute } from '../clicks/breakdowns.ts';
import { queryRange } from '../dynamodb/requests.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { dayKey } from '../keys.ts';
import type { DayCount } from '../links/api/answer-schemas.ts';
import { toDay, visitorsOf } from '../links/storage/days.ts';
import { getLinks, type Link } from '../links/storage/links.ts';
import type { OwnedLink } from '../links/storage/owned-links.ts';
import type { DayRange } from './day-sums.ts';
import { addDays } from './periods.ts';
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
const linksPerBatch = 100;
/** Late clicks are rare, and usually on one of these days. If they aren't, all days are read. */
const lateDays = 2;
const lastDay = '9999-12-31';

export interface SummedLink {
  link: OwnedLink;
  sums: LinkSums;
  /** There wasn't time to read the newest clicks, so the sums may be too low. */
  isOld?: true;
}

interface Candidate {
  link: OwnedLink;
  /** The stored sums of an earlier state of this link. */
  stored?: LinkSums;
}

/**
 * Sums links' clicks by day. Reads the stored sums, and the days only of those links that have other
 * totals, whose sums it then stores. After the deadline, in epoch milliseconds, it begins no more reads
 * of days, and stores nothing.
 */
export async function sumLinks(
  table: TableAccess,
  links: readonly OwnedLink[],
  deadlineMs: number,
): Promise<SummedLink[]> {
  const clicked = links.filter(({ clicks }) => clicks > 0);
  const stored = await readStoredSums(
    table,
    clicked.map(({ code }) => code),
  );
  const summed: SummedLink[] = [];
  const changed: Candidate[] = [];
  for (const link of links) {
    const known = stored.get(link.code);
    if (link.clicks === 0) summed.push({ link, sums: emptySums });
    else if (known && isProven(known, link)) summed.push({ link, sums: known });
    else if (known?.createdAt === link.createdAt) changed.push({ link, stored: known });
    else changed.push({ link });
  }
  return [...summed, ...(await readChanged(table, changed, deadlineMs))];
}

/** What the days said, and whether they were proven to be all of one state of the link. */
interface Read extends Candidate {
  sums: LinkSums;
  isProven: boolean;
}

async function readChanged(
  table: TableAccess,
  changed: readonly Candidate[],
  deadlineMs: number,
): Promise<SummedLink[]> {
  const summed: SummedLink[] = [];
  for (const some of chunk(changed, linksPerBatch)) {
    if (Date.now() >= deadlineMs) {
      summed.push(...some.map(toOld));
      continue;
    }
    const newest = await readAndProve(table, some, readNewestDays);
    // An older day has a late click, or a click arrived meanwhile.
    const unproven = newest.filter((read) => !read.isProven && read.stored);
    const complete = await readAndProve(table, unproven, readAllDays);
    const byCode = new Map([...newest, ...complete].map((read) => [read.link.code, read]));
    const reads = [...byCode.values()];
    await storeSums(table, reads.flatMap(toStored), Date.now());
    summed.push(...reads.map(({ link, sums }) => ({ link, sums })));
  }
  return summed;
}

function toOld({ link, stored = emptySums }: Candidate): SummedLink {
  return { link, sums: stored, isOld: true };
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
  candidates: readonly Candidate[],
  read: (table: TableAccess, candidate: Candidate) => Promise<LinkSums>,
): Promise<Read[]> {
  if (candidates.length === 0) return [];
  const sums = await pLimit(readsAtOnce).map(candidates, (candidate) => read(table, candidate));
  const after = await getLinks(
    table,
    candidates.map(({ link }) => link.code),
  );
  return candidates.map((candidate, index) => {
    const ofLink = sums[index] ?? emptySums;
    const now = after.get(candidate.link.code);
    return { ...candidate, sums: ofLink, isProven: hasTotal(now, candidate.link, ofLink) };
  });
}

function hasTotal(now: Link | undefined, { createdAt }: Link, sums: LinkSums): boolean {
  return now?.createdAt === createdAt && now.clicks === totalOf(sums);
}

/** Reads the days since the newest stored one, and those before from what's stored. */
async function readNewestDays(table: TableAccess, { link, stored }: Candidate): Promise<LinkSums> {
  const newest = stored?.days.at(-1)?.date;
  if (!stored || newest === undefined) return readAllDays(table, { link });
  const from = addDays(newest, -lateDays);
  const kept = stored.days.filter(({ date }) => date < from);
  const read = await readDaySums(table, link.code, { from, to: lastDay });
  return { days: [...kept, ...read], earlier: stored.earlier };
}

async function readAllDays(table: TableAccess, { link }: Candidate): Promise<LinkSums> {
  const days = await readDaySums(table, link.code, { from: '0000-01-01', to: lastDay });
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

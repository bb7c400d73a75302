import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { TableAccess } from '../dynamodb/table.ts';
import type { DayCount } from '../links/api/answer-schemas.ts';
import { notFoundError, parseCode } from '../links/rules/code.ts';
import { describeLink } from '../links/storage/link-answer.ts';
import { getLink, isReadableBy } from '../links/storage/links.ts';
import { addSums, type DayRange, noSums, type Sums, sumDays } from './day-sums.ts';
import { beginsEarlier, readDaySums, type SummedLink, sumLinks } from './link-sums.ts';
import type { OverviewQuery } from './overview-request.ts';
import type { OverviewAnswer } from './overview-schemas.ts';
import { readOwnerLinks } from './owner-links.ts';
import { comparePeriods } from './periods.ts';
import { matchesSearch } from './search.ts';
import { readValues } from './values.ts';
import { readVisitors } from './visitors.ts';

/** Another range or tag, chosen within this time, doesn't read the links again. */
const keptMs = 10_000;
/** Sums of this many links are kept, each with at most 400 days. */
const maxKeptLinks = 20_000;
const readsAtOnce = 50;
/** Times since the request came. The function's timeout leaves time for the reads that have begun. */
const sumsTimeoutMs = 3_000;
const valuesTimeoutMs = 7_000;

interface OwnerSums {
  links: SummedLink[];
  hasMore: boolean;
  readAtMs: number;
}

const kept = new LRUCache<string, OwnerSums>({
  maxSize: maxKeptLinks,
  sizeCalculation: ({ links }) => links.length + 1,
  ttl: keptMs,
});

/** Reads an owner's overview. Throws an HttpError of 404 if it's of a link that isn't theirs. */
export async function readOverview(
  table: TableAccess,
  owner: string,
  query: OverviewQuery,
  { origin, nowMs, withVisitors }: { origin: string; nowMs: number; withVisitors: boolean },
): Promise<OverviewAnswer> {
  const all =
    query.code === undefined
      ? await readOwnerSums(table, owner, nowMs)
      : await readLinkSums(table, owner, query.code, nowMs);
  const chosen = all.links.filter((summed) => isChosen(summed, query));
  const { from, to } = query;
  const compared = query.compare && comparePeriods(query, query.compare, toDay(nowMs));
  const wanted = {
    from: compared && compared.before.from < from ? compared.before.from : from,
    to,
  };
  const links = await addEarlierDays(table, chosen, wanted);
  const ranged = links.map(({ link, days }) => ({ link, sums: sumDays(days, query) }));
  const clicked = ranged
    .filter(({ sums }) => sums.clicks > 0)
    .sort((a, b) => b.sums.people - a.sums.people || b.sums.clicks - a.sums.clicks);
  const values =
    query.values &&
    (await readValues(
      table,
      clicked.map(({ link, sums }) => ({ code: link.code, sums })),
      query,
      nowMs + valuesTimeoutMs,
    ));
  const visitors = withVisitors
    ? await readVisitors(
        table,
        links.map(({ link, days }) => ({ code: link.code, days })),
        { range: query, ...compared },
        nowMs + valuesTimeoutMs,
      )
    : undefined;
  return {
    from,
    to,
    readAt: new Date(all.readAtMs).toISOString(),
    ...sumAll(ranged.map(({ sums }) => sums)),
    ...visitors?.range,
    days: mergeDays(links, query),
    ...(compared && {
      comparison: {
        current: { ...sumPeriod(links, compared.current), ...visitors?.current },
        before: { ...sumPeriod(links, compared.before), ...visitors?.before },
      },
    }),
    links: clicked.map(({ link, sums }) => {
      const { code, shortUrl, title } = describeLink(origin, link);
      const ofPeople = visitors && { visitors: visitors.links.get(code) };
      return { code, shortUrl, title, ...sums, ...ofPeople };
    }),
    chosenLinks: chosen.length,
    oldLinks: chosen.filter(({ isOld }) => isOld).length,
    hasMoreLinks: all.hasMore,
    ...(values && { values }),
  };
}

async function readOwnerSums(table: TableAccess, owner: string, nowMs: number): Promise<OwnerSums> {
  const known = kept.get(owner);
  if (known) return known;
  const { links, hasMore } = await readOwnerLinks(table, owner);
  const sums = {
    links: await sumLinks(table, links, nowMs + sumsTimeoutMs),
    hasMore,
    readAtMs: nowMs,
  };
  // The next request reads those that there was no time for.
  if (!sums.links.some(({ isOld }) => isOld)) kept.set(owner, sums);
  return sums;
}

/** Throws an HttpError of 404 if the link doesn't exist or this user may not read it. */
async function readLinkSums(
  table: TableAccess,
  owner: string,
  code: string,
  nowMs: number,
): Promise<OwnerSums> {
  const link = await getLink(table, parseCode(code));
  if (!link || !isReadableBy(owner, link)) throw notFoundError(code);
  const links = await sumLinks(table, [{ ...link, code }], nowMs + sumsTimeoutMs);
  return { links, hasMore: false, readAtMs: nowMs };
}

function isChosen({ link }: SummedLink, { tag, search }: OverviewQuery): boolean {
  if (tag !== undefined && !link.tags?.includes(tag)) return false;
  return search === undefined || matchesSearch(link, search);
}

/** The links' days, with those that are older than the stored ones if the range has them. */
function addEarlierDays(table: TableAccess, links: readonly SummedLink[], range: DayRange) {
  return pLimit(readsAtOnce).map(links, async ({ link, sums }) => {
    if (!beginsEarlier(sums, range.from)) return { link, days: sums.days };
    return { link, days: await readDaySums(table, link.code, range) };
  });
}

interface LinkDays {
  days: readonly DayCount[];
}

function sumPeriod(links: readonly LinkDays[], range: DayRange) {
  return { ...range, ...sumAll(links.map(({ days }) => sumDays(days, range))) };
}

function sumAll(sums: readonly Sums[]): Sums {
  return sums.reduce(addSums, noSums);
}

/** The days of all links, oldest first. Days without clicks are left out. */
function mergeDays(links: readonly LinkDays[], { from, to }: DayRange): DayCount[] {
  const sums = new Map<string, DayCount>();
  for (const { days } of links) {
    for (const { date, count, people, bots } of days) {
      if (date < from || date > to) continue;
      const sum = sums.get(date) ?? { date, count: 0, people: 0, bots: 0 };
      sum.count += count;
      sum.people += people;
      sum.bots += bots;
      sums.set(date, sum);
    }
  }
  return [...sums.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

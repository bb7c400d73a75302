import pLimit from 'p-limit';
import { utcDay } from '../days.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import type { DayCount } from '../links/api/answer-schemas.ts';
import { notFoundError, parseCode } from '../links/rules/code.ts';
import { searchLinks } from '../links/rules/search.ts';
import { describeLink } from '../links/storage/link-answer.ts';
import { getLink, isReadableBy } from '../links/storage/links.ts';
import { createBoundedReads, type Unread } from './bounded-reads.ts';
import { type BreakdownValues, readBreakdownValues } from './breakdown-values.ts';
import { type DayRange, mergeDays, type Sums, sumDays } from './day-sums.ts';
import { readFilteredDays } from './filter.ts';
import { beginsEarlier, readDaySums, type SummedLink, sumLinks } from './link-sums.ts';
import type { OverviewQuery } from './overview-request.ts';
import type { OverviewAnswer } from './overview-schemas.ts';
import { type OwnerSums, type ReadTimes, sumOwnerLinks } from './owner-sums.ts';
import { type ComparedPeriods, comparePeriods } from './periods.ts';
import { type OverviewVisitors, readVisitors } from './visitors.ts';

const readsAtOnce = 50;
/** Times since the request came. The function's timeout leaves time for the reads that have begun. */
const partialTimeoutMs = 400;
const sumsTimeoutMs = 3_000;
const valuesTimeoutMs = 7_000;

interface RequestContext {
  /** Of short links. */
  origin: string;
  nowMs: number;
  withVisitors: boolean;
}

/** Reads an owner's overview. Throws an HttpError of 404 if it's of a link that isn't theirs. */
export async function readOverview(
  table: TableAccess,
  owner: string,
  query: OverviewQuery,
  context: RequestContext,
): Promise<OverviewAnswer> {
  const read = await readData(table, owner, query, context);
  return describeOverview(read, query, context.origin);
}

/** What an overview is made of. */
interface OverviewData {
  chosen: OwnerSums;
  compared?: ComparedPeriods;
  /** The clicks of all links by day, in the range and in the period before it. */
  days: readonly DayCount[];
  ranked: readonly RankedLink[];
  /** The links that there was no time to filter. */
  unread?: Unread;
  values?: BreakdownValues;
  visitors?: OverviewVisitors;
}

async function readData(
  table: TableAccess,
  owner: string,
  query: OverviewQuery,
  context: RequestContext,
): Promise<OverviewData> {
  const { from, to, compare, filter } = query;
  const { nowMs } = context;
  const deadlineMs = nowMs + valuesTimeoutMs;
  const compared = compare && comparePeriods(query, compare, utcDay(nowMs));
  const wanted = { from: earliest(from, compared?.before.from), to };

  const chosen = await readChosenLinks(table, owner, query, context);
  const dated = await addEarlierDays(table, chosen.links, wanted);
  const { links, unread } = await filterDays(table, dated, { ...wanted, filter }, deadlineMs);
  const ranked = rankLinks(links, query);
  const values = wantsValues(query)
    ? await readBreakdownValues(table, ranked.map(toRanged), query, deadlineMs)
    : undefined;
  const periods = { range: query, ...compared };
  const visitors = wantsVisitors(query, context)
    ? await readVisitors(table, links.map(toDays), periods, deadlineMs)
    : undefined;

  const allDays = links.map((link) => link.days);
  return { chosen, compared, days: mergeDays(allDays, wanted), ranked, unread, values, visitors };
}

/** The clicks with one value can't be divided by others. */
function wantsValues({ values, filter }: OverviewQuery): boolean {
  return values !== undefined && filter === undefined;
}

/** A day's visitors are those of all its clicks. */
function wantsVisitors({ filter }: OverviewQuery, { withVisitors }: RequestContext): boolean {
  return withVisitors && filter === undefined;
}

function describeOverview(
  { chosen, compared, days, ranked, unread, values, visitors }: OverviewData,
  { from, to }: DayRange,
  origin: string,
): OverviewAnswer {
  return {
    ...describePeriod(days, { from, to }, visitors?.range),
    readAt: new Date(chosen.readAtMs).toISOString(),
    days: days.filter(({ date }) => date >= from),
    comparison: compared && {
      current: describePeriod(days, compared.current, visitors?.current),
      before: describePeriod(days, compared.before, visitors?.before),
    },
    links: ranked.map(({ link, sums }) => {
      const { code, shortUrl, title } = describeLink(origin, link);
      return { code, shortUrl, title, ...sums, visitors: visitors?.links.get(code) };
    }),
    chosenLinks: chosen.links.length,
    oldLinks: chosen.links.filter(({ isOld }) => isOld).length,
    hasMoreLinks: chosen.hasMore,
    unread,
    values,
  };
}

function describePeriod<Visitors>(
  days: readonly DayCount[],
  period: DayRange,
  visitors: Visitors | undefined,
) {
  return { ...period, ...sumDays(days, period), ...visitors };
}

/** The sums of one link, or of those that the query chooses. */
function readChosenLinks(
  table: TableAccess,
  owner: string,
  query: OverviewQuery,
  context: RequestContext,
): Promise<OwnerSums> {
  const { nowMs } = context;
  const deadlineMs = nowMs + (query.partial ? partialTimeoutMs : sumsTimeoutMs);
  const times = { nowMs, deadlineMs };
  if (query.code !== undefined) return readLinkSums(table, owner, query.code, times);
  return sumOwnerLinks(table, owner, (links) => chooseLinks(links, query, context), times);
}

function earliest(date: string, other = date): string {
  return other < date ? other : date;
}

interface RankedLink {
  link: SummedLink['link'];
  sums: Sums;
}

/** The links with clicks in a range, those that the most people followed first. */
function rankLinks(links: readonly DatedLink[], range: DayRange): RankedLink[] {
  return links
    .map(({ link, days }) => ({ link, sums: sumDays(days, range) }))
    .filter(({ sums }) => sums.clicks > 0)
    .sort((a, b) => b.sums.people - a.sums.people || b.sums.clicks - a.sums.clicks);
}

function toRanged({ link, sums }: RankedLink) {
  return { code: link.code, sums };
}

function toDays({ link, days }: DatedLink) {
  return { code: link.code, days };
}

/** Throws an HttpError of 404 if the link doesn't exist or this user may not read it. */
async function readLinkSums(
  table: TableAccess,
  owner: string,
  code: string,
  { nowMs, deadlineMs }: ReadTimes,
): Promise<OwnerSums> {
  const link = await getLink(table, parseCode(code));
  if (!link || !isReadableBy(owner, link)) throw notFoundError(code);
  const links = await sumLinks(table, [{ ...link, code }], deadlineMs);
  return { links, hasMore: false, readAtMs: nowMs };
}

/** The links with the tag that the search finds, as on the page. */
function chooseLinks(
  links: readonly SummedLink[],
  { tag, search }: OverviewQuery,
  { origin, nowMs }: RequestContext,
): SummedLink[] {
  const tagged = links.filter(({ link }) => tag === undefined || link.tags?.includes(tag));
  if (search === undefined) return tagged;
  const searchable = tagged.map((summed) => ({ ...describeLink(origin, summed.link), summed }));
  return searchLinks(searchable, search, nowMs).map(({ summed }) => summed);
}

interface DatedLink {
  link: SummedLink['link'];
  days: readonly DayCount[];
}

const readBounded = createBoundedReads<DayCount[]>();

/** The links' days with only the clicks that have a value, if one is asked for. */
async function filterDays(
  table: TableAccess,
  links: readonly DatedLink[],
  { filter, ...wanted }: DayRange & { filter?: string },
  deadlineMs: number,
): Promise<{ links: readonly DatedLink[]; unread?: Unread }> {
  if (filter === undefined) return { links };
  const summed = links.map(({ link, days }) => {
    return { code: link.code, link, sums: sumDays(days, wanted) };
  });
  const parameters = [wanted.from, wanted.to, filter];
  const { done, unread } = await readBounded(summed, parameters, deadlineMs, ({ code }) =>
    readFilteredDays(table, code, wanted, filter),
  );
  return { links: done.map(({ link: { link }, read: days }) => ({ link, days })), unread };
}

/** The links' days, with those that are older than the stored ones if the range has them. */
function addEarlierDays(
  table: TableAccess,
  links: readonly SummedLink[],
  range: DayRange,
): Promise<DatedLink[]> {
  return pLimit(readsAtOnce).map(links, async ({ link, sums }) => {
    if (!beginsEarlier(sums, range.from)) return { link, days: sums.days };
    return { link, days: await readDaySums(table, link.code, range) };
  });
}

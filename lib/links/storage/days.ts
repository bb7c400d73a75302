import type { NativeAttributeValue } from '@aws-sdk/util-dynamodb';
import {
  botAttribute,
  humanAttribute,
  listBreakdowns,
  type Numbers,
} from '../../clicks/breakdowns.ts';
import { firstDay, lastDay } from '../../days.ts';
import { getAtOnce, queryRange } from '../../dynamodb/requests.ts';
import type { TableAccess } from '../../dynamodb/table.ts';
import { campaignKey, campaignsEnd, dayKey, linkKey } from '../../keys.ts';

/** A link's clicks on a UTC day, yyyy-mm-dd. */
export interface Day {
  date: string;
  count: number;
  /** The other numbers of the item, which are its breakdowns. */
  numbers: Numbers;
}

/** A link's own counts. */
export interface Totals {
  clicks: number;
  /** The clicks by people and by bots. Clicks without a known visitor are in neither. */
  [humanAttribute]?: number;
  [botAttribute]?: number;
  /** The link was deleted for good. Its days may be there for a moment. */
  purgedAt?: string;
}

/** A link's totals (undefined if it doesn't exist) and its days, as they were at one instant. */
interface Snapshot {
  link?: Totals;
  days: Day[];
}

/** A total of a link that isn't the sum of its days. */
export interface UnevenTotal {
  of: 'clicks' | 'people' | 'bots';
  /** Null if the link doesn't exist. */
  total: number | null;
  sum: number;
}

// One transaction reads at most 100 items: the link and its newest days.
const maxDaysAtOnce = 99;

/** Reads a link's days, oldest first. The range is inclusive. */
export async function queryDays(
  table: TableAccess,
  code: string,
  { from = firstDay, to = lastDay }: Range = {},
): Promise<Day[]> {
  return (await queryItems(table, dayKey(code, from), dayKey(code, to))).map(toDay);
}

/** Reads the campaigns of a link's days, and their values. The range is inclusive. */
export function queryCampaigns(
  table: TableAccess,
  code: string,
  { from = firstDay, to = lastDay }: Range,
) {
  return queryItems(table, campaignKey(code, from), campaignsEnd(code, to));
}

export interface Range {
  from?: string;
  to?: string;
}

async function queryItems(...range: Parameters<typeof queryRange>) {
  const pages = await Array.fromAsync(queryRange(...range));
  return pages.flat();
}

export function toDay({ SK, count, ...attributes }: Record<string, NativeAttributeValue>): Day {
  const numbers = Object.entries(attributes).filter(([, value]) => typeof value === 'number');
  return { date: SK.slice('STAT#'.length), count, numbers: Object.fromEntries(numbers) };
}

/**
 * Reads a consistent snapshot of a link and its days. Undefined if a commit was in flight, or if
 * days outside the transaction changed meanwhile.
 */
export async function readSnapshot(
  table: TableAccess,
  code: string,
): Promise<Snapshot | undefined> {
  const before = await queryDays(table, code);
  const newest = before.slice(-maxDaysAtOnce).map(({ date }) => date);
  const read = await readAtOnce(table, code, newest);
  // Counts only rise. If the sum of the days outside the transaction is the same before and after,
  // they didn't change. The second sum includes days added meanwhile.
  const isOther = ({ date }: Day) => !newest.includes(date);
  const others = before.filter(isOther);
  const after = read && (await queryDays(table, code)).filter(isOther);
  if (!after || sumDays(others) !== sumDays(after)) return undefined;
  return { link: read.link, days: [...others, ...read.days] };
}

/** Finds the totals of a link that aren't the sum of its days. A purged link doesn't have totals. */
export function findUnevenTotals({ link, days }: Snapshot): UnevenTotal[] {
  if (link?.purgedAt) return [];
  if (!link) return [{ of: 'clicks', total: null, sum: sumDays(days) }];
  const total = visitorsOf(link);
  const sum = visitorsOf(sumNumbers(days.map(({ numbers }) => numbers)));
  const totals: UnevenTotal[] = [
    { of: 'clicks', total: link.clicks ?? 0, sum: sumDays(days) },
    { of: 'people', total: total.people, sum: sum.people },
    { of: 'bots', total: total.bots, sum: sum.bots },
  ];
  return totals.filter(({ total, sum }) => total !== sum);
}

function sumDays(days: Day[]): number {
  return days.reduce((sum, { count }) => sum + count, 0);
}

async function readAtOnce(
  table: TableAccess,
  code: string,
  dates: string[],
): Promise<Snapshot | undefined> {
  const keys = [linkKey(code), ...dates.map((date) => dayKey(code, date))];
  const items = await getAtOnce(table, keys);
  if (!items) return undefined;
  const [link, ...days] = items;
  return {
    link: link as Totals | undefined,
    days: days.flatMap((day) => (day ? [toDay(day)] : [])),
  };
}

/**
 * Days as the statistics show them: the people and bots of each day and in total, and the breakdowns
 * in total. Clicks without a known visitor are neither.
 */
export function summarizeDays(days: Day[]) {
  const numbers = sumNumbers(days.map((day) => day.numbers));
  return {
    ...visitorsOf(numbers),
    days: days.map(({ date, count, numbers }) => ({ date, count, ...visitorsOf(numbers) })),
    breakdowns: listBreakdowns(numbers, sumDays(days)),
  };
}

/** One day as the statistics show it, with its own breakdowns. */
export function summarizeDay(day: Day) {
  const { days, ...sums } = summarizeDays([day]);
  return { date: day.date, count: day.count, ...sums };
}

/** The clicks by people and by bots in the item of a day or a link. */
export function visitorsOf(numbers: { [humanAttribute]?: number; [botAttribute]?: number }) {
  return { people: numbers[humanAttribute] ?? 0, bots: numbers[botAttribute] ?? 0 };
}

/** Sums numbers by attribute. */
export function sumNumbers(all: readonly Numbers[]): Numbers {
  const sums: Record<string, number> = {};
  for (const [attribute, number] of all.flatMap((one) => Object.entries(one))) {
    sums[attribute] = (sums[attribute] ?? 0) + number;
  }
  return sums;
}

import { type Signal, signal } from '@preact/signals';
import type { GetLinkStatsAnswer } from '../../lib/links/api/answer-schemas.ts';
import type { DayCounts, Totals } from '../../lib/live/messages.ts';

export type Breakdowns = GetLinkStatsAnswer['breakdowns'];
export type ValueCount = NonNullable<Breakdowns[string]>[number];
export type Campaigns = NonNullable<GetLinkStatsAnswer['campaigns']>;
export type CampaignValue = NonNullable<Campaigns[keyof Campaigns]>[number];
export type DayCount = GetLinkStatsAnswer['days'][number];

/** A breakdown's value, such as the country DE. */
export interface Value {
  breakdown: string;
  name: string;
}

/** The known numbers of a link: its totals, and the days that were read or pushed. */
interface Counts extends Totals {
  days: ReadonlyMap<string, DayCount>;
}

/** New numbers of a link. Pushes have its totals, its days, or both. */
interface News extends Partial<Totals> {
  days?: readonly DayCount[];
}

/** Days, with breakdowns over all of them. */
export interface Period {
  days: DayCount[];
  breakdowns: Breakdowns;
}

export const noCounts: Counts = { clicks: 0, people: 0, bots: 0, days: new Map() };

/**
 * Merges numbers that were read or pushed. Numbers only rise, so late and repeated responses are
 * harmless. Returns the same object if nothing changed.
 */
export function raise(counts: Counts, { days = [], ...news }: News): Counts {
  const risen = days.filter(({ date, count }) => count > (counts.days.get(date)?.count ?? -1));
  const totals = {
    clicks: Math.max(news.clicks ?? 0, counts.clicks),
    people: Math.max(news.people ?? 0, counts.people),
    bots: Math.max(news.bots ?? 0, counts.bots),
  };
  const haveRisen = (['clicks', 'people', 'bots'] as const).some(
    (name) => totals[name] > counts[name],
  );
  if (!haveRisen && risen.length === 0) return counts;
  const all = new Map(counts.days);
  for (const { date, count, people, bots } of risen) all.set(date, { date, count, people, bots });
  return { ...totals, days: all };
}

const counters = new Map<string, Signal<Counts>>();

/** The known clicks of a link. All views of the link share them. */
export function counterOf(code: string): Signal<Counts> {
  const counter = counters.get(code) ?? signal(noCounts);
  counters.set(code, counter);
  return counter;
}

/** Merges a link's new numbers. Returns whether its total rose. */
export function takeCounts(code: string, news: News) {
  const counter = counterOf(code);
  const before = counter.value.clicks;
  counter.value = raise(counter.value, news);
  return counter.value.clicks > before;
}

/** The newer state of a day, which is the one with more clicks. */
export function newerDay(before: DayCounts | undefined, next: DayCounts): DayCounts {
  if (!before || next.date > before.date) return next;
  return next.date === before.date && next.count >= before.count ? next : before;
}

/** Merges the days before today with today. */
export function addToday(past: Period, today: DayCounts): Period {
  if (today.count === 0) return past;
  const { date, count, people, bots } = today;
  return {
    days: [...past.days.filter((day) => day.date !== date), { date, count, people, bots }],
    breakdowns: addBreakdowns(past.breakdowns, today.breakdowns),
  };
}

/** Sums each value's clicks. */
function addBreakdowns(past: Breakdowns = {}, today: Breakdowns = {}): Breakdowns {
  const names = new Set([...Object.keys(past), ...Object.keys(today)]);
  const sums = [...names].map((name) => [name, addValues(past[name] ?? [], today[name] ?? [])]);
  return Object.fromEntries(sums);
}

/** Sums the clicks of each campaign's value: all, those by people, and those that are undivided. */
export function addCampaigns(past: Campaigns = {}, today: Campaigns = {}): Campaigns {
  const names = Object.keys({ ...past, ...today }) as (keyof Campaigns)[];
  const sums = names.map((name) => {
    return [name, addCampaignValues([...(past[name] ?? []), ...(today[name] ?? [])])];
  });
  return Object.fromEntries(sums);
}

/** A period's clicks: all, and those by people, by bots, and by visitors who could be either. */
export function visitorsOf({ days }: { days: readonly DayCount[] }) {
  const sums = { clicks: 0, people: 0, bots: 0, unknown: 0 };
  for (const { count, people, bots } of days) {
    sums.clicks += count;
    sums.people += people;
    sums.bots += bots;
    sums.unknown += count - people - bots;
  }
  return sums;
}

/** The clicks of days, or of a breakdown's values. */
export function sumCounts(parts: readonly { count: number }[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}

/** Whether missing clicks could turn a rise into a fall, or a fall into a rise. */
export function couldReverse(
  clicks: number,
  before: number,
  missing = Number.POSITIVE_INFINITY,
): boolean {
  return missing > 0 && Math.abs(clicks - before) <= missing;
}

function addValues(past: readonly ValueCount[], today: readonly ValueCount[]): ValueCount[] {
  const sums = new Map<string, number>();
  for (const { name, count } of [...past, ...today]) sums.set(name, (sums.get(name) ?? 0) + count);
  return [...sums].map(([name, count]) => ({ name, count })).sort(byCount);
}

function addCampaignValues(values: readonly CampaignValue[]): CampaignValue[] {
  const sums = new Map<string, CampaignValue>();
  for (const { name, count, people, undivided } of values) {
    const sum = sums.get(name) ?? { name, count: 0, people: 0, undivided: 0 };
    sums.set(name, {
      name,
      count: sum.count + count,
      people: sum.people + people,
      undivided: sum.undivided + undivided,
    });
  }
  return [...sums.values()].sort(byCount);
}

/** Equal counts keep the order of their names, so rows don't swap needlessly. */
function byCount(a: ValueCount, b: ValueCount): number {
  return b.count - a.count || a.name.localeCompare(b.name);
}

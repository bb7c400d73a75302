import type { GetLinkStatsAnswer } from '../../lib/links/answer-schemas.ts';
import type { DayCounts } from '../../lib/live/messages.ts';

export type Breakdowns = GetLinkStatsAnswer['breakdowns'];
export type ValueCount = NonNullable<Breakdowns[string]>[number];
export type DayCount = GetLinkStatsAnswer['days'][number];

/** What is known about a link: its total, and its clicks of the days that were read or pushed. */
export interface Counts {
  clicks: number;
  days: ReadonlyMap<string, DayCount>;
}

/** Days and the breakdowns of all of them. */
export interface Period {
  days: DayCount[];
  breakdowns: Breakdowns;
}

/** A breakdown whose values do not sum to the clicks of its period. */
interface UnevenPart {
  name: string;
  sum: number;
}

export const noCounts: Counts = { clicks: 0, days: new Map() };

/**
 * Takes in what was read or pushed. A number never goes down, so an answer that comes late or twice
 * does no harm. Returns the same object if nothing changed.
 */
export function raise(
  counts: Counts,
  { clicks = 0, days = [] }: { clicks?: number; days?: readonly DayCount[] },
): Counts {
  const risen = days.filter(({ date, count }) => count > (counts.days.get(date)?.count ?? -1));
  if (clicks <= counts.clicks && risen.length === 0) return counts;
  const all = new Map(counts.days);
  for (const { date, count, bots } of risen) all.set(date, { date, count, bots });
  return { clicks: Math.max(clicks, counts.clicks), days: all };
}

/** The newer state of a day: the one that counted more. */
export function newerDay(before: DayCounts | undefined, next: DayCounts): DayCounts {
  if (!before || next.date > before.date) return next;
  return next.date === before.date && next.count >= before.count ? next : before;
}

/** The days before today and today, as one period. */
export function addToday(past: Period, today: DayCounts): Period {
  if (today.count === 0) return past;
  const { date, count, bots } = today;
  const names = new Set([...Object.keys(past.breakdowns), ...Object.keys(today.breakdowns)]);
  const breakdowns = [...names].map((name) => [
    name,
    addValues(past.breakdowns[name] ?? [], today.breakdowns[name] ?? []),
  ]);
  return {
    days: [...past.days.filter((day) => day.date !== date), { date, count, bots }],
    breakdowns: Object.fromEntries(breakdowns),
  };
}

/** The clicks of a period. */
export function sumOf({ days }: Pick<Period, 'days'>): number {
  return days.reduce((sum, { count }) => sum + count, 0);
}

/** The clicks of bots in a period. */
export function botsOf({ days }: Pick<Period, 'days'>): number {
  return days.reduce((sum, { bots }) => sum + bots, 0);
}

/** The breakdowns that do not sum to the clicks of the period. */
export function findUneven(period: Period): UnevenPart[] {
  const total = sumOf(period);
  return Object.entries(period.breakdowns)
    .map(([name, values]) => ({ name, sum: sumValues(values) }))
    .filter(({ sum }) => sum !== total);
}

/** The clicks of all values of a breakdown. */
export function sumValues(values: readonly ValueCount[]): number {
  return values.reduce((sum, { count }) => sum + count, 0);
}

function addValues(past: readonly ValueCount[], today: readonly ValueCount[]): ValueCount[] {
  const sums = new Map<string, number>();
  for (const { name, count } of [...past, ...today]) sums.set(name, (sums.get(name) ?? 0) + count);
  // Equal counts keep the order of the names, so that rows do not change places for nothing.
  return [...sums]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name));
}

import { LRUCache } from 'lru-cache';
import { dayMs, utcDay } from '../days.ts';
import type { DayCount } from '../links/api/answer-schemas.ts';

/** Clicks: all, and those by people and by bots. Clicks without a known visitor are in neither. */
export interface Sums {
  clicks: number;
  people: number;
  bots: number;
}

export interface DayRange {
  /** Inclusive UTC days, yyyy-mm-dd. */
  from: string;
  to: string;
}

export const noSums: Sums = { clicks: 0, people: 0, bots: 0 };

export function addSums(a: Sums, b: Sums): Sums {
  return { clicks: a.clicks + b.clicks, people: a.people + b.people, bots: a.bots + b.bots };
}

export function toSums({ count, people, bots }: DayCount): Sums {
  return { clicks: count, people, bots };
}

/** The days within a range. */
function within(days: readonly DayCount[], { from, to }: DayRange): DayCount[] {
  return days.filter(({ date }) => date >= from && date <= to);
}

/** Sums the days within a range. */
export function sumDays(days: readonly DayCount[], range: DayRange): Sums {
  return within(days, range).map(toSums).reduce(addSums, noSums);
}

/** Sums several links' days within a range by date, oldest first. Days without clicks are left out. */
export function mergeDays(links: readonly (readonly DayCount[])[], range: DayRange): DayCount[] {
  const byDate = new Map<string, Sums>();
  for (const day of links.flatMap((days) => within(days, range))) {
    byDate.set(day.date, addSums(byDate.get(day.date) ?? noSums, toSums(day)));
  }
  const sorted = [...byDate].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([date, { clicks, ...visitors }]) => ({ date, count: clicks, ...visitors }));
}

const radix = 36;
/** Days since 1970 as dates. Thousands of links have the same days, and formatting one takes a microsecond or more. */
const dates = new LRUCache<number, string>({
  max: 4_000,
  memoMethod: (day) => utcDay(day * dayMs),
});

/**
 * Packs days, oldest first, into a text of about ten bytes a day. Each day has the number of days since
 * the one before it (the first since 1970), its clicks, and those by people and by bots, in base 36.
 */
export function packDays(days: readonly DayCount[]): string {
  let before = 0;
  const packed = days.map(({ date, count, people, bots }) => {
    const day = Date.parse(date) / dayMs;
    const numbers = [day - before, count, people, bots];
    before = day;
    return numbers.map((number) => number.toString(radix)).join('.');
  });
  return packed.join(' ');
}

/** The days that {@link packDays} packed. */
export function unpackDays(text: string): DayCount[] {
  if (text === '') return [];
  let day = 0;
  return text.split(' ').map((packed) => {
    const [gap = 0, count = 0, people = 0, bots = 0] = packed
      .split('.')
      .map((number) => Number.parseInt(number, radix));
    day += gap;
    return { date: dates.memo(day), count, people, bots };
  });
}

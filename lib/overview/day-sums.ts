import type { DayCount } from '../links/api/answer-schemas.ts';
import { dayMs } from '../links/storage/days.ts';

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

/** Sums the days within a range. */
export function sumDays(days: readonly DayCount[], { from, to }: DayRange): Sums {
  const sums = { ...noSums };
  for (const { date, count, people, bots } of days) {
    if (date < from || date > to) continue;
    sums.clicks += count;
    sums.people += people;
    sums.bots += bots;
  }
  return sums;
}

const radix = 36;

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
    return { date: toDate(day), count, people, bots };
  });
}

function toDate(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

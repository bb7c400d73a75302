import { addDays, dayMs } from '../days.ts';
import type { DayRange } from './day-sums.ts';

/** A period before a range: the one just before it, or the same one a year earlier. */
export type Comparison = 'before' | 'year';

export interface ComparedPeriods {
  current: DayRange;
  before: DayRange;
}

/**
 * The two periods to compare, without today, whose clicks are still arriving. Whole calendar months are
 * compared with whole calendar months, and other ranges with as many days. Undefined if the range has no
 * full day.
 */
export function comparePeriods(
  range: DayRange,
  comparison: Comparison,
  today: string,
): ComparedPeriods | undefined {
  const { from } = range;
  const to = range.to < today ? range.to : addDays(today, -1);
  if (to < from) return undefined;
  const current = { from, to };
  const months = comparison === 'year' ? 12 : countWholeMonths(current);
  if (comparison === 'year' || months > 0) {
    return { current, before: { from: addMonths(from, -months), to: addMonths(to, -months) } };
  }
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return { current, before: { from: addDays(from, -days), to: addDays(from, -1) } };
}

/** The number of calendar months that the range consists of. 0 if it isn't whole months. */
function countWholeMonths({ from, to }: DayRange): number {
  if (!from.endsWith('-01') || !addDays(to, 1).endsWith('-01')) return 0;
  return monthOf(to) - monthOf(from) + 1;
}

function monthOf(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

/** The same day of another month. A month's last day stays a month's last day. */
function addMonths(date: string, months: number): string {
  const month = monthOf(date) + months;
  const first = `${Math.floor(month / 12)}-${`${(month % 12) + 1}`.padStart(2, '0')}-01`;
  const last = addDays(addDays(first, 31).slice(0, 'yyyy-mm-'.length).concat('01'), -1);
  const isLast = addDays(date, 1).endsWith('-01');
  const sameDay = `${first.slice(0, 'yyyy-mm-'.length)}${date.slice('yyyy-mm-'.length)}`;
  return isLast || sameDay > last ? last : sameDay;
}

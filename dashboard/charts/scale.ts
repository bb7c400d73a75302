import { addDays } from '../days.ts';
import { formatDay, formatFullDay, formatMonth } from '../format.ts';
import { type DayCount, type ValueCount, visitorsOf } from '../state/counts.ts';

/** A bar, with its clicks. */
export interface Bar extends ReturnType<typeof visitorsOf> {
  label: string;
  /** The full label, for example with the year. */
  title: string;
}

const mostBars = 124;

/** Rounds up to a round number of at least 4, where the axis ends. */
export function niceCeiling(max: number): number {
  if (max <= 4) return 4;
  const magnitude = 10 ** Math.floor(Math.log10(max));
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((each) => each * magnitude >= max) ?? 10;
  const ceiling = step * magnitude;
  return ceiling % 2 === 0 ? ceiling : ceiling + 1;
}

/** What a bar of that many days stands for. */
export function barUnit(days: number): 'day' | 'week' | 'month' {
  if (days <= mostBars) return 'day';
  return days > mostBars * 7 ? 'month' : 'week';
}

/** A bar for each day, or for each week or month if there are too many days. */
export function toBars(days: readonly DayCount[], dates: readonly string[]): Bar[] {
  const counts = new Map(days.map((day) => [day.date, day]));
  const filled = dates.map((date) => counts.get(date) ?? { date, count: 0, people: 0, bots: 0 });
  const unit = barUnit(dates.length);
  if (unit === 'day') return filled.map((day) => toBar(formatFullDay(day.date), [day]));
  const isMonth = unit === 'month';
  const keyOf = (date: string) => (isMonth ? date.slice(0, 'yyyy-mm'.length) : mondayOf(date));
  return [...Map.groupBy(filled, ({ date }) => keyOf(date))].map(([key, group]) =>
    toBar(isMonth ? formatMonth(key) : `week of ${formatFullDay(key)}`, group),
  );
}

/** The hours from 00 to 23, with their clicks today and yesterday. */
export function toHourBars(today: readonly ValueCount[], yesterday: readonly ValueCount[]) {
  const countIn = (hours: typeof today, hour: string) =>
    hours.find(({ name }) => name === hour)?.count ?? 0;
  return Array.from({ length: 24 }, (_, index) => {
    const hour = `${index}`.padStart(2, '0');
    return { hour, today: countIn(today, hour), yesterday: countIn(yesterday, hour) };
  });
}

/** An SVG path of this size through the values. The largest value touches the top. */
export function sparkline(values: readonly number[], width: number, height: number): string {
  const max = Math.max(1, ...values);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const points = values.map(
    (value, index) => `${round(index * step)},${round(height - (value / max) * height)}`,
  );
  return points.length === 0 ? '' : `M${points.join('L')}`;
}

function toBar(title: string, days: readonly DayCount[]): Bar {
  return { label: formatDay(days[0]?.date ?? ''), title, ...visitorsOf({ days }) };
}

function mondayOf(date: string): string {
  return addDays(date, -((new Date(date).getUTCDay() + 6) % 7));
}

/** Rounds a coordinate to a tenth. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

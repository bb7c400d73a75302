import { addDays, utcDay } from '../../lib/days.ts';
import { formatDay, formatFullDay, formatMonth, formatOffset, formatTime } from '../format.ts';
import { type DayCount, type ValueCount, visitorsOf } from '../state/counts.ts';

/** A bar, with its clicks. */
export interface Bar extends ReturnType<typeof visitorsOf> {
  label: string;
  /** The full label, for example with the year. */
  title: string;
}

const mostBars = 124;
const hourMs = 60 * 60 * 1_000;

/** Rounds up to a round number of at least 4, where the axis ends. */
export function niceCeiling(max: number): number {
  if (max <= 4) return 4;
  const magnitude = 10 ** Math.floor(Math.log10(max));
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((each) => each * magnitude >= max) ?? 10;
  const ceiling = step * magnitude;
  return ceiling % 2 === 0 ? ceiling : ceiling + 1;
}

/** What a bar of that many days stands for. */
export function barUnit(days: number): 'day' | 'month' {
  return days > mostBars ? 'month' : 'day';
}

/** A bar for each day, or for each month if there are too many days. */
export function toBars(days: readonly DayCount[], dates: readonly string[]): Bar[] {
  const counts = new Map(days.map((day) => [day.date, day]));
  const filled = dates.map((date) => counts.get(date) ?? { date, count: 0, people: 0, bots: 0 });
  if (barUnit(dates.length) === 'day') {
    return filled.map((day) => toBar(formatDay(day.date), formatFullDay(day.date), [day]));
  }
  const months = Map.groupBy(filled, ({ date }) => date.slice(0, 'yyyy-mm'.length));
  return [...months].map(([month, group]) => toBar(formatMonth(month), formatMonth(month), group));
}

/** The hours of yesterday and today (UTC) up to the current one, each with its start and its clicks. */
export function toHours(days: readonly (readonly ValueCount[])[], nowMs: number) {
  const midnight = Date.parse(addDays(utcDay(nowMs), -1));
  const counts = days.flatMap((hours) =>
    Array.from({ length: 24 }, (_, hour) => {
      const name = `${hour}`.padStart(2, '0');
      return hours.find((each) => each.name === name)?.count ?? 0;
    }),
  );
  const current = Math.floor((nowMs - midnight) / hourMs);
  // The reader's clock may be slow.
  const last = Math.max(current, counts.findLastIndex(Boolean));
  return counts
    .slice(0, last + 1)
    .map((clicks, hour) => ({ atMs: midnight + hour * hourMs, clicks }));
}

/**
 * The labels of hours by the viewer's clock, or by UTC's. When clocks go back, two hours have the same time, and
 * their titles say which is which.
 */
export function labelHours(hours: readonly { atMs: number }[], isUtc: boolean) {
  const times = hours.map(({ atMs }) => formatTime(new Date(atMs).toISOString(), isUtc));
  return hours.map(({ atMs }, index) => {
    const time = times[index] ?? '';
    const isRepeated = times.indexOf(time) !== times.lastIndexOf(time);
    const title = isRepeated ? `${time} (${formatOffset(atMs)})` : time;
    return { title, label: time.slice(-'hh:mm'.length) };
  });
}

function toBar(label: string, title: string, days: readonly DayCount[]): Bar {
  return { label, title, ...visitorsOf({ days }) };
}

import { breakdowns, listBreakdowns } from '../../clicks/breakdowns.ts';
import { type Day, summarizeDays } from '../storage/days.ts';
import { addVisitors, type DaySketches } from '../storage/visitor-counts.ts';
import { byteOrderMark, formatLine } from './csv-cells.ts';

const valueColumns = breakdowns.flatMap(({ name, attributes }) =>
  [...new Set([...Object.keys(attributes), 'unknown'])].map((value) => toColumn(name, value)),
);

/**
 * A link's days as CSV, a line each: the clicks, and those of each breakdown's values, such as
 * "clicks by device mobile". All files have the same columns, so that they can be compared, and a byte
 * order mark.
 */
export function formatDays(days: Day[], sketches: DaySketches): string {
  const summary = addVisitors(summarizeDays(days), sketches);
  const visitors = new Map(summary.days.map((day) => [day.date, day.visitors]));
  const lines = days.map(({ date, count, numbers }) => {
    const values = countValues(numbers, count);
    const counts = valueColumns.map((column) => values[column] ?? 0);
    return formatLine([date, count, ...counts, visitors.get(date)]);
  });
  const heads = ['date', 'clicks', ...valueColumns, 'visitors (estimated)'];
  return `${byteOrderMark}${formatLine(heads)}${lines.join('')}`;
}

function countValues(...[numbers, count]: Parameters<typeof listBreakdowns>) {
  const values = Object.entries(listBreakdowns(numbers, count)).flatMap(([breakdown, found]) =>
    found.map((value): [string, number] => [toColumn(breakdown, value.name), value.count]),
  );
  return Object.fromEntries(values);
}

function toColumn(breakdown: string, value: string): string {
  return `clicks by ${breakdown} ${value}`;
}

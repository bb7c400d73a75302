import { breakdowns, listBreakdowns } from '../../clicks/breakdowns.ts';
import type { Day } from '../storage/days.ts';
import { byteOrderMark, formatLine } from './csv-cells.ts';

const valueColumns = breakdowns.flatMap(({ name, attributes }) =>
  [...new Set([...Object.keys(attributes), 'unknown'])].map((value) => toColumn(name, value)),
);

/**
 * A link's days as CSV, a line each: the clicks, and those of each breakdown's values, such as
 * "clicks by device mobile". All files have the same columns, so that they can be compared, and a byte
 * order mark.
 */
export function formatDays(days: Day[]): string {
  const lines = days.map(({ date, count, numbers }) => {
    const values = countValues(numbers, count);
    return formatLine([date, count, ...valueColumns.map((column) => values[column] ?? 0)]);
  });
  return `${byteOrderMark}${formatLine(['date', 'clicks', ...valueColumns])}${lines.join('')}`;
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

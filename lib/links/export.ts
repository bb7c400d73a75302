import { stringify } from 'csv-stringify/sync';
import { listBreakdowns } from '../clicks/breakdown-sums.ts';
import type { LinkAnswer } from './answer-schemas.ts';
import { addUp } from './day-stats.ts';
import { type Day, sumDays } from './days.ts';

const linkColumns = [
  ...['code', 'shortUrl', 'url', 'createdAt', 'expiresAt', 'disabled'],
  ...['clicks', 'people', 'bots'],
];

// A spreadsheet would run a cell such as "=1+1". An apostrophe in front makes it text.
const common = { escape_formulas: true, cast: { boolean: String } };

/** Links as CSV, a line each. Only the first page has the header. */
export function formatLinks(links: LinkAnswer[], { isFirst }: { isFirst: boolean }): string {
  return stringify(links, { ...common, columns: linkColumns, header: isFirst });
}

/**
 * A link's days as CSV, a line each: the clicks, and those of each breakdown's values that occur,
 * such as "device mobile".
 */
export function formatDays(days: Day[]): string {
  const valueColumns = Object.keys(countValues(addUp(days), sumDays(days)));
  const lines = days.map(({ date, count, numbers }) => ({
    ...Object.fromEntries(valueColumns.map((column) => [column, 0])),
    ...countValues(numbers, count),
    ...{ date, clicks: count },
  }));
  return stringify(lines, {
    ...common,
    columns: ['date', 'clicks', ...valueColumns],
    header: true,
  });
}

function countValues(...[numbers, count]: Parameters<typeof listBreakdowns>) {
  const values = Object.entries(listBreakdowns(numbers, count)).flatMap(([breakdown, found]) =>
    found.map((value): [string, number] => [`${breakdown} ${value.name}`, value.count]),
  );
  return Object.fromEntries(values);
}

// The service and the page share this file, so it must run in browsers too.
import type { LinkAnswer } from '../api/answer-schemas.ts';
import { textFields } from '../rules/link-fields.ts';
import { byteOrderMark, formatLine } from './csv-cells.ts';

const linkColumns = [
  'code',
  'shortUrl',
  'url',
  'createdAt',
  ...textFields.filter((name) => name !== 'url'),
  'disabled',
  'clicks',
  'people',
  'bots',
] as const;

// Without "clicks", a spreadsheet's reader would take them for unique visitors.
const linkHeads = linkColumns.map((name) => name.replace(/^(?=people|bots)/, 'clicks by '));

/** Links as CSV, a line each. Only the first page has the header, and the byte order mark. */
export function formatLinks(links: LinkAnswer[], { isFirst }: { isFirst: boolean }): string {
  const start = isFirst ? `${byteOrderMark}${formatLine(linkHeads)}` : '';
  const lines = links.map((link) => formatLine(linkColumns.map((column) => link[column])));
  return `${start}${lines.join('')}`;
}

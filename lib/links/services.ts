// The import command and the page share this file, so it must run in Node.js and in browsers.
import type { FieldName } from './link-fields.ts';

type Columns = { [Name in FieldName]?: string };

interface Service {
  name: string;
  /** Columns that, together, only this service's files have. */
  header: readonly string[];
  /** Columns that have another name than in our own files. */
  columns: Columns;
}

/** Other services' exports. Names of columns are in lower case without blanks and signs. */
const services: readonly Service[] = [
  {
    name: 'Shlink',
    header: ['shortcode', 'longurl'],
    columns: { url: 'longurl', expiresAt: 'validuntil' },
  },
  { name: 'YOURLS', header: ['source', 'target'], columns: { code: 'source', url: 'target' } },
  { name: 'YOURLS', header: ['keyword', 'url', 'timestamp'], columns: {} },
  {
    name: 'Kutt',
    header: ['address', 'target'],
    columns: { code: 'address', url: 'target', title: 'description', expiresAt: 'expirein' },
  },
  { name: 'dub', header: ['key', 'url', 'shortlink'], columns: {} },
  { name: 'Rebrandly', header: ['slashtag', 'destination'], columns: { url: 'destination' } },
  {
    name: 'Short.io',
    header: ['path', 'originalurl'],
    columns: { code: 'path', url: 'originalurl' },
  },
  { name: 'Bitly', header: ['bitlink', 'longurl'], columns: { code: 'bitlink', url: 'longurl' } },
  { name: 'Bitly', header: ['link', 'longurl'], columns: { code: 'link', url: 'longurl' } },
];

/** The service whose export has these columns, if any. */
export function findService(columns: readonly string[]): Service | undefined {
  return services.find(({ header }) => header.every((name) => columns.includes(name)));
}

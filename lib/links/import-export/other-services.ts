// The import command and the page share this file, so it must run in Node.js and in browsers.
import type { FieldName } from '../rules/link-fields.ts';

interface Service {
  name: string;
  /** Columns that, together, only this service's files have. */
  header: readonly string[];
  /** Columns that have another name than in our own files. */
  columns?: { [Name in FieldName]?: string };
}

/** Other services' exports. Names of columns are in lower case without blanks and signs. */
const services: readonly Service[] = [
  { name: 'Shlink', header: ['shortcode', 'longurl'], columns: { expiresAt: 'validuntil' } },
  { name: 'YOURLS', header: ['source', 'target'], columns: { code: 'source' } },
  { name: 'YOURLS', header: ['keyword', 'url', 'timestamp'] },
  {
    name: 'Kutt',
    header: ['address', 'target'],
    columns: { code: 'address', title: 'description', expiresAt: 'expirein' },
  },
  { name: 'dub', header: ['key', 'url', 'shortlink'] },
  { name: 'dub', header: ['shortlink', 'destinationurl'], columns: { code: 'shortlink' } },
  { name: 'Rebrandly', header: ['slashtag', 'destination'] },
  { name: 'Short.io', header: ['path', 'originalurl'], columns: { code: 'path' } },
  { name: 'Bitly', header: ['bitlink', 'longurl'], columns: { code: 'bitlink' } },
  { name: 'Bitly', header: ['link', 'longurl'], columns: { code: 'link' } },
];

/** The services whose exports can be imported, in the order of the alphabet. */
export const serviceNames = [...new Set(services.map(({ name }) => name))].toSorted((a, b) =>
  a.localeCompare(b, 'en'),
);

/** The services in a sentence, such as "Bitly, dub and Kutt". */
export function listServices(): string {
  return new Intl.ListFormat('en-GB').format(serviceNames);
}

/** What else services know: the code that replaced a random one, clicks, and the time of creation. */
export const extraColumns = {
  custom: ['custombitlink', 'custombitlinks', 'custombackhalf'],
  clicks: ['clicks', 'totalclicks', 'visits', 'visitscount', 'visitcount', 'hits', 'engagements'],
  created: ['createdat', 'created', 'datecreated', 'timestamp'],
} satisfies Record<string, readonly string[]>;

/** The service whose export has these columns, if any. */
export function findService(columns: readonly string[]): Service | undefined {
  return services.find(({ header }) => header.every((name) => columns.includes(name)));
}

/** What a service knew about a link, such as "2,314 clicks at Bitly, created 2021-03-04". */
export function describePast(service: string, clicks: string, created: string): string {
  const counted = /^\d+$/.test(clicks)
    ? `${Number(clicks).toLocaleString('en-US')} clicks at ${service}`
    : '';
  const [day = created.slice(0, 40)] = /^\d{4}-\d\d-\d\d/.exec(created) ?? [];
  return [counted || (day && `At ${service}`), day && `created ${day}`].filter(Boolean).join(', ');
}

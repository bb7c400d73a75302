import { addDays } from '../lib/days.ts';

/** Ranges by name. They end yesterday, because today's clicks are still arriving, or today if they say so. */
export const presets = {
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  'this-week': 'This week, with today',
  'last-week': 'Last week',
  'this-month': 'This month, with today',
  'last-month': 'Last month',
  'this-year': 'This year, with today',
  'last-year': 'Last year',
};
export type Preset = keyof typeof presets;

export const comparisons = {
  before: 'Period before',
  year: 'Year before',
  none: 'Nothing',
};
export type Comparison = keyof typeof comparisons;

/** What clicks can be filtered by. */
export const filters = {
  referrer: 'Source',
  country: 'Country',
  device: 'Device',
  network: 'Network',
  utm_campaign: 'Campaign',
  utm_source: 'Campaign source',
  utm_medium: 'Campaign medium',
};

/** Only the clicks with a value. */
export interface Filter {
  name: keyof typeof filters;
  value: string;
}

export interface DayRange {
  /** Inclusive UTC days, yyyy-mm-dd. */
  from: string;
  to: string;
}

/** What an overview shows. It's in the address, so that it can be bookmarked and sent. */
export interface OverviewQuery {
  range: Preset | DayRange;
  compare: Comparison;
  tag?: string;
  search?: string;
  code?: string;
  filter?: Filter;
}

const usual = { range: '30d', compare: 'before' } as const;
const prefix = '#/overview';

/** Parses an overview's fragment. Undefined if it's another view's. Invalid parts become the usual ones. */
export function parseOverview(hash: string): OverviewQuery | undefined {
  if (hash !== prefix && !hash.startsWith(`${prefix}?`)) return undefined;
  const given = new URLSearchParams(hash.slice(prefix.length + 1));
  const compare = given.get('compare') ?? usual.compare;
  return {
    range: parseRange(given),
    compare: Object.hasOwn(comparisons, compare) ? (compare as Comparison) : usual.compare,
    tag: given.get('tag') || undefined,
    search: given.get('q') || undefined,
    code: given.get('code') || undefined,
    filter: parseFilter(given.get('filter') ?? ''),
  };
}

export function hashOfOverview(query: Partial<OverviewQuery> = {}): string {
  const { range, compare, code, tag, search: q } = query;
  const filter = query.filter && formatFilter(query.filter);
  const given = new URLSearchParams();
  if (typeof range === 'object') {
    given.set('from', range.from);
    given.set('to', range.to);
  } else if (range && range !== usual.range) given.set('range', range);
  if (compare && compare !== usual.compare) given.set('compare', compare);
  for (const [name, value] of Object.entries({ code, tag, q, filter }))
    if (value) given.set(name, value);
  return given.size > 0 ? `${prefix}?${given}` : prefix;
}

/** A filter as the API and the address have it: country:DE. */
export function formatFilter({ name, value }: Filter): string {
  return `${name}:${value}`;
}

function parseFilter(text: string): Filter | undefined {
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(0, colon));
  const value = text.slice(colon + 1);
  if (!Object.hasOwn(filters, name) || value === '') return undefined;
  return { name: name as Filter['name'], value };
}

function parseRange(given: URLSearchParams): OverviewQuery['range'] {
  const from = given.get('from') ?? '';
  const to = given.get('to') ?? '';
  if (isDate(from) && isDate(to) && from <= to) return { from, to };
  const range = given.get('range') ?? usual.range;
  return Object.hasOwn(presets, range) ? (range as Preset) : usual.range;
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The days of a range. Weeks begin on Monday. */
export function daysOf(range: OverviewQuery['range'], today: string): DayRange {
  if (typeof range === 'object') return range;
  const yesterday = addDays(today, -1);
  const lastDays = (days: number) => ({ from: addDays(today, -days), to: yesterday });
  const monday = addDays(today, -((new Date(today).getUTCDay() + 6) % 7));
  const first = `${today.slice(0, 'yyyy-mm'.length)}-01`;
  const year = Number(today.slice(0, 'yyyy'.length));
  switch (range) {
    case '7d':
      return lastDays(7);
    case '30d':
      return lastDays(30);
    case '90d':
      return lastDays(90);
    case 'this-week':
      return { from: monday, to: today };
    case 'last-week':
      return { from: addDays(monday, -7), to: addDays(monday, -1) };
    case 'this-month':
      return { from: first, to: today };
    case 'last-month': {
      const to = addDays(first, -1);
      return { from: `${to.slice(0, 'yyyy-mm'.length)}-01`, to };
    }
    case 'this-year':
      return { from: `${year}-01-01`, to: today };
    case 'last-year':
      return { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` };
  }
}

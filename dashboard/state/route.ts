import { type Range, ranges } from '../days.ts';
import { type OverviewQuery, parseOverview } from '../overview-query.ts';

/** A view, identified by the address's fragment. */
type Route =
  | { view: 'links'; tag?: string }
  | { view: 'overview'; query: OverviewQuery }
  | { view: 'link'; code: string; range: Range };

const usualRange: Range = '30d';

/** Parses a fragment. Unknown ones show the list of links. */
export function parseRoute(hash: string): Route {
  const query = parseOverview(hash);
  if (query) return { view: 'overview', query };
  const [, code, range = usualRange] = /^#\/links\/([\w.-]+)(?:\?range=(\w+))?$/.exec(hash) ?? [];
  const tag = hash.startsWith('#/?') && new URLSearchParams(hash.slice(2)).get('tag');
  if (!code) return { view: 'links', ...(tag && { tag }) };
  return {
    view: 'link',
    code,
    range: Object.hasOwn(ranges, range) ? (range as Range) : usualRange,
  };
}

export function hashOf(code: string, range = usualRange): string {
  return `#/links/${code}${range === usualRange ? '' : `?range=${range}`}`;
}

/** The list of links or, with a tag, of those that have it. */
export function hashOfList(tag?: string): string {
  return tag === undefined ? '#/' : `#/?${new URLSearchParams({ tag })}`;
}

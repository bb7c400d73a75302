import { type Range, ranges } from '../days.ts';
import { type OverviewQuery, parseOverview } from '../overview-query.ts';

/** A view, identified by the address's fragment. */
type Route =
  | { view: 'overview'; query: OverviewQuery }
  | { view: 'links'; tag?: string; query?: string }
  | { view: 'link'; code: string; range: Range };

const usualRange: Range = '30d';

/** Parses a fragment. Unknown ones show the list of links. */
export function parseRoute(hash: string): Route {
  const overview = parseOverview(hash);
  if (overview) return { view: 'overview', query: overview };
  const [, code, range = usualRange] = /^#\/links\/([\w.-]+)(?:\?range=(\w+))?$/.exec(hash) ?? [];
  if (!code) {
    const given = new URLSearchParams(hash.startsWith('#/?') ? hash.slice(2) : '');
    const tag = given.get('tag');
    const query = given.get('q');
    return { view: 'links', ...(tag && { tag }), ...(query && { query }) };
  }
  return {
    view: 'link',
    code,
    range: Object.hasOwn(ranges, range) ? (range as Range) : usualRange,
  };
}

export function hashOf(code: string, range = usualRange): string {
  return `#/links/${code}${range === usualRange ? '' : `?range=${range}`}`;
}

/** The list of links or, with a tag or a search, of those that have it. */
export function hashOfList(tag?: string, query = ''): string {
  const given = new URLSearchParams({
    ...(tag !== undefined && { tag }),
    ...(query && { q: query }),
  });
  return given.size > 0 ? `#/?${given}` : '#/';
}

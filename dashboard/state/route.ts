import { type Range, ranges } from '../days.ts';

/** A view, identified by the address's fragment. */
type Route = { view: 'links' } | { view: 'link'; code: string; range: Range };

const usualRange: Range = '30d';

/** Parses a fragment. Unknown ones show the list of links. */
export function parseRoute(hash: string): Route {
  const [, code, range = usualRange] = /^#\/links\/([\w-]+)(?:\?range=(\w+))?$/.exec(hash) ?? [];
  if (!code) return { view: 'links' };
  return {
    view: 'link',
    code,
    range: Object.hasOwn(ranges, range) ? (range as Range) : usualRange,
  };
}

export function hashOf(code: string, range = usualRange): string {
  return `#/links/${code}${range === usualRange ? '' : `?range=${range}`}`;
}

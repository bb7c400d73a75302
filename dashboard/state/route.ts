/** A view, identified by the address's fragment. */
type Route = { view: 'links' } | { view: 'link'; code: string };

/** Parses a fragment. Unknown ones show the list of links. */
export function parseRoute(hash: string): Route {
  const [, code] = /^#\/links\/([\w-]+)$/.exec(hash) ?? [];
  return code ? { view: 'link', code } : { view: 'links' };
}

export function hashOf(code: string): string {
  return `#/links/${code}`;
}

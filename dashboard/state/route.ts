/** A view, by the part of the address after "#". */
type Route = { view: 'links' } | { view: 'link'; code: string };

/** The view of an address; an unknown one is the list of links. */
export function parseRoute(hash: string): Route {
  const [, code] = /^#\/links\/([\w-]+)$/.exec(hash) ?? [];
  return code ? { view: 'link', code } : { view: 'links' };
}

/** The address of a link's view. */
export function hashOf(code: string): string {
  return `#/links/${code}`;
}

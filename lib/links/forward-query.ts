import querystring from 'node:querystring';

/** Every sender and recipient should support as much (RFC 9110, section 4.1). Servers often stop at 8,192. */
const maxLocationLength = 8_000;

/** A visitor's query. Some programs encode its "?", or write "&" instead, so that it's in the path. */
export function completeQuery(path: string, rawQuery: string): string {
  // API Gateway may have decoded the path.
  const text = /[?&]/.test(path) ? path : querystring.unescape(path);
  const [, inPath = ''] = /[?&](?:amp;)?(\w+=.*)$/s.exec(text) ?? [];
  return [inPath, rawQuery].filter((query) => query !== '').join('&');
}

/**
 * A link's URL with the parameters of a visitor's query after its own. Nothing of the URL changes, and
 * a parameter that it has already isn't added. If the result would be too long, it's the URL alone.
 */
export function forwardQuery(url: string, visitorQuery: string): string {
  const [, base = '', ownQuery, fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  const own = (ownQuery ?? '').slice(1);
  const ownNames = new Set(listParameters(own).map(nameOf));
  const added = listParameters(visitorQuery).filter(
    (parameter) => !ownNames.has(nameOf(parameter)),
  );
  if (added.length === 0) return url;
  // Old programs would read the query as a part of the host.
  const path = /^[^/]*\/\/[^/]*$/.test(base) ? '/' : '';
  const separator = own === '' || own.endsWith('&') ? '' : '&';
  const query = `${own}${separator}${encode(added.join('&'))}`;
  const location = `${base}${path}?${query}${fragment}`;
  return location.length > maxLocationLength ? url : location;
}

function listParameters(query: string): string[] {
  return query.split('&').filter((parameter) => parameter !== '');
}

/** Servers decode names, and a broken percent sign stands for itself. */
function nameOf(parameter: string): string {
  return querystring.unescape(parameter.split('=', 1)[0]?.replaceAll('+', ' ') ?? '');
}

/** A client may send anything. A header must be ASCII, and # would begin a fragment. */
function encode(query: string): string {
  return query.toWellFormed().replace(/[^!-~]+|["#<>\\]/g, encodeURIComponent);
}

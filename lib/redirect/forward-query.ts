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
 * A link's URL with the parameters of a visitor's query after its own. Nothing of the URL changes, and a
 * parameter isn't added if a server may take it for one that the URL has. If the result would be too long,
 * it's the URL alone.
 */
export function forwardQuery(url: string, visitorQuery: string): string {
  const [, base = '', ownQuery, fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  const own = (ownQuery ?? '').slice(1);
  const ownNames = new Set(listParameters(own).flatMap(listNames));
  const added = listParameters(visitorQuery).filter(
    (parameter) => !listNames(parameter).some((name) => ownNames.has(name)),
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

/**
 * The names under which servers may find a parameter, in one spelling. Some servers separate parameters at
 * semicolons too. PHP trims names, cuts them at NUL, and reads spaces and dots as underscores. Brackets, and
 * for some servers dots, begin the name of a part. ASP.NET ignores case.
 */
function listNames(parameter: string): string[] {
  return parameter.split(';').flatMap((part) => {
    const [encoded = ''] = part.split('=', 1);
    // Most names have one spelling, and a query may have thousands.
    if (/^[a-z\d-]*$/.test(encoded)) return [encoded];
    const name = querystring.unescape(encoded.replaceAll('+', ' ')).normalize('NFKC').toLowerCase();
    const [, whole = ''] = /^[\s[\]]*([^\0[\]]*)/.exec(name) ?? [];
    const [first = ''] = whole.split('.', 1);
    return [whole, first].map((one) => one.replace(/[\s._]+/g, '_').replace(/^_|_$/g, ''));
  });
}

/** A client may send anything. A header must be ASCII, and # would begin a fragment. */
function encode(query: string): string {
  return query.toWellFormed().replace(/[^!-~]+|["#<>\\]/g, encodeURIComponent);
}

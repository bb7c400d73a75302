import { publishClick } from '../lib/clicks/publish-click.ts';
import { isPrefetch, readVisit } from '../lib/clicks/visit.ts';
import { readResolverConfig } from '../lib/config.ts';
import { readHost } from '../lib/domain.ts';
import { readOrigin, redirect, withHttpApi } from '../lib/http/http.ts';
import { notFound, parseCode } from '../lib/links/link-request.ts';
import { readUrl } from '../lib/links/read-url.ts';

const { ownDomains } = readResolverConfig();

/** GET and HEAD /{code}: redirects the visitor, and publishes the click of a visit. */
export const handler = withHttpApi(async (event) => {
  const code = parseCode(event.pathParameters?.code);
  const url = await readUrl(code);
  if (url === undefined) throw notFound(code);
  if (event.requestContext.http.method === 'GET' && !isPrefetch(event.headers)) {
    await publishClick(
      code,
      readVisit(event.headers, [readHost(readOrigin(event)), ...ownDomains]),
    );
  }
  return redirect(url);
});

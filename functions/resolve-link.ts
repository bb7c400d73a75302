import { publishClick } from '../lib/clicks/publish-click.ts';
import { isPrefetch, readVisit } from '../lib/clicks/visit.ts';
import { readHostConfig, readResolverConfig } from '../lib/config.ts';
import { redirect, withHttpApi } from '../lib/http/http.ts';
import { notFound, parseCode } from '../lib/links/link-request.ts';
import { readUrl } from '../lib/links/read-url.ts';

const ownHosts = [...readHostConfig().serviceHosts, ...readResolverConfig().ownDomains];

/** GET and HEAD /{code}: redirects the visitor, and publishes the click of a visit. */
export const handler = withHttpApi(async (event) => {
  const code = parseCode(event.pathParameters?.code);
  const url = await readUrl(code);
  if (url === undefined) throw notFound(code);
  if (event.requestContext.http.method === 'GET' && !isPrefetch(event.headers)) {
    await publishClick(code, readVisit(event.headers, ownHosts));
  }
  return redirect(url);
});

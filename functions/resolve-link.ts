import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { connectPublisher, publishClick } from '../lib/clicks/publish-click.ts';
import { readPurpose, readVisit } from '../lib/clicks/visit.ts';
import { domainList, readDomains, readEnv, readServiceHosts } from '../lib/config.ts';
import { redirect, withHttpApi } from '../lib/http/http.ts';
import { ObstacleError, speculationError } from '../lib/links/code.ts';
import { connectToLinks, findLink } from '../lib/links/find-link.ts';
import { forwardQuery } from '../lib/links/forward-query.ts';
import { visitorPage, wantsJson } from '../lib/links/visitor-page.ts';

const { OWN_DOMAINS } = readEnv({ OWN_DOMAINS: domainList });
/** Hosts whose pages count as internal referrers. */
const ownHosts = [...readServiceHosts(), ...readDomains('OWN_DOMAINS', OWN_DOMAINS)];

// Lambda gives an initialization a whole CPU, and a visit at 512 MB less than a third of one.
await Promise.all([connectToLinks(), connectPublisher()]);

/**
 * GET and HEAD /{code}: redirects the visitor. A GET for a click publishes it. If the link can't be
 * followed, visitors get a page that says why, and programs that accept only JSON get JSON.
 */
export const handler = withHttpApi(async (event) => {
  try {
    return await resolve(event);
  } catch (error) {
    const { accept, 'accept-language': acceptLanguage } = event.headers;
    if (!(error instanceof ObstacleError) || wantsJson(accept)) throw error;
    return visitorPage(error, acceptLanguage);
  }
});

async function resolve(event: APIGatewayProxyEventV2) {
  const purpose = readPurpose(event.headers);
  if (purpose === 'speculation') throw speculationError();
  const { code: first = '', rest } = event.pathParameters ?? {};
  const { code, url, forwardsQuery } = await findLink(
    rest === undefined ? first : `${first}/${rest}`,
  );
  if (event.requestContext.http.method === 'GET' && purpose === 'click') {
    await publishClick(code, readVisit(event.headers, ownHosts, event.rawQueryString));
  }
  return redirect(forwardsQuery ? forwardQuery(url, event.rawQueryString) : url);
}

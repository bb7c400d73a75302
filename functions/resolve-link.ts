import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { connectPublisher, publishClick } from '../lib/clicks/publish-click.ts';
import { readPurpose, readVisit, type VisitSettings } from '../lib/clicks/visit.ts';
import { domainList, flag, readDomains, readEnv, readServiceHosts } from '../lib/config.ts';
import { redirect, withHttpApi } from '../lib/http/http.ts';
import { speculationError, UnreachableLinkError } from '../lib/links/rules/code.ts';
import { connectToLinks, findLink } from '../lib/redirect/find-link.ts';
import { completeQuery, forwardQuery } from '../lib/redirect/forward-query.ts';
import { visitorPage, wantsJson } from '../lib/redirect/visitor-page.ts';

const { OWN_DOMAINS, HOSTING_IS_BOT } = readEnv({
  OWN_DOMAINS: domainList,
  HOSTING_IS_BOT: flag,
});
const settings: VisitSettings = {
  // Pages on these hosts are internal referrers.
  ownDomains: [...readServiceHosts(), ...readDomains('OWN_DOMAINS', OWN_DOMAINS)],
  hostingIsBot: HOSTING_IS_BOT,
};

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
    if (!(error instanceof UnreachableLinkError) || wantsJson(accept)) throw error;
    return visitorPage(error, acceptLanguage);
  }
});

async function resolve(event: APIGatewayProxyEventV2) {
  const purpose = readPurpose(event.headers);
  if (purpose === 'speculation') throw speculationError();
  const { code: first = '', rest } = event.pathParameters ?? {};
  const path = rest === undefined ? first : `${first}/${rest}`;
  const { code, url, forwardsQuery } = await findLink(path);
  const query = completeQuery(path, event.rawQueryString);
  if (event.requestContext.http.method === 'GET' && purpose === 'click') {
    await publishClick(code, readVisit(event.headers, settings, query));
  }
  return redirect(forwardsQuery ? forwardQuery(url, query) : url);
}

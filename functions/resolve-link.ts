import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { dynamoDb } from '../lib/aws/dynamodb-client.ts';
import { connectPublisher, publishClick } from '../lib/clicks/publish-click.ts';
import { readPurpose, readVisit, type VisitSettings } from '../lib/clicks/visit.ts';
import { VisitorKey } from '../lib/clicks/visitor-key.ts';
import { markVisitor, readVisitor } from '../lib/clicks/visitor-mark.ts';
import {
  domainList,
  flag,
  nonEmptyString,
  readDomains,
  readEnv,
  readServiceHosts,
} from '../lib/config.ts';
import { redirect, withHttpApi } from '../lib/http/http.ts';
import { speculationError, UnreachableLinkError } from '../lib/links/rules/code.ts';
import { connectToLinks, findLink } from '../lib/redirect/find-link.ts';
import { completeQuery, forwardQuery } from '../lib/redirect/forward-query.ts';
import { visitorPage, wantsJson } from '../lib/redirect/visitor-page.ts';

const { OWN_DOMAINS, HOSTING_IS_BOT, COUNT_VISITORS, TABLE_NAME } = readEnv({
  OWN_DOMAINS: domainList,
  HOSTING_IS_BOT: flag,
  COUNT_VISITORS: flag,
  TABLE_NAME: nonEmptyString,
});
const settings: VisitSettings = {
  // Pages on these hosts are internal referrers.
  ownDomains: [...readServiceHosts(), ...readDomains('OWN_DOMAINS', OWN_DOMAINS)],
  hostingIsBot: HOSTING_IS_BOT,
};

const visitorKey = COUNT_VISITORS ? new VisitorKey(dynamoDb, TABLE_NAME) : undefined;

// Lambda gives an initialization a whole CPU, and a visit at 512 MB less than a third of one. Reading the
// key opens the connection to DynamoDB.
await Promise.all([visitorKey ? visitorKey.load() : connectToLinks(), connectPublisher()]);

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
    const visit = readVisit(event.headers, settings, query);
    await publishClick(code, { ...visit, mark: visit.isBot ? undefined : markPerson(event) });
  }
  return redirect(forwardsQuery ? forwardQuery(url, query) : url);
}

/** Only the mark leaves the function. */
function markPerson({ headers, requestContext }: APIGatewayProxyEventV2): number | undefined {
  const key = visitorKey?.getKey();
  return key && markVisitor(key, readVisitor(headers, requestContext.http.sourceIp));
}

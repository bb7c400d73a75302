import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { table } from '../lib/dynamodb/table.ts';
import { csv, json } from '../lib/http/http.ts';
import { withOwnerApi } from '../lib/http/owner-api.ts';
import { parseQuery } from '../lib/http/parse-request.ts';
import type { ListLinksAnswer, SumLinksAnswer } from '../lib/links/answer-schemas.ts';
import { auditLinks } from '../lib/links/audit.ts';
import { formatLinks } from '../lib/links/export.ts';
import { describeLink, foreignCursorError } from '../lib/links/link-answer.ts';
import { listQuerySchema } from '../lib/links/link-request.ts';
import { listLinks, sumLinks } from '../lib/links/owned-links.ts';
import { publicOrigin } from '../lib/links/public-origin.ts';

/**
 * GET /links: the caller's links, newest first, a page at a time. GET /links/sum: the clicks of
 * those after a page.
 */
export const handler = withOwnerApi((event, owner) =>
  event.routeKey === 'GET /links/sum' ? sum(event, owner) : list(event, owner),
);

async function list(event: APIGatewayProxyEventV2, owner: string) {
  const { format, ...query } = parseQuery(listQuerySchema, event.queryStringParameters);
  const page = await listLinks(table, owner, query);
  if (!page) throw foreignCursorError(query.cursor);
  auditLinks({ action: 'listed', sub: owner, codes: page.links.map(({ code }) => code) });
  const links = page.links.map((link) => describeLink(publicOrigin, link));
  if (format !== 'csv') return json(200, { ...page, links } satisfies ListLinksAnswer);
  const next = page.cursor && `/links?format=csv&limit=${query.limit}&cursor=${page.cursor}`;
  return csv(formatLinks(links, { isFirst: query.cursor === undefined }), next);
}

async function sum(event: APIGatewayProxyEventV2, owner: string) {
  const { cursor } = event.queryStringParameters ?? {};
  const day = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  const answer = await sumLinks(table, owner, { day, cursor });
  if (!answer) throw foreignCursorError(cursor);
  auditLinks({ action: 'summed', sub: owner });
  return json(200, answer satisfies SumLinksAnswer);
}

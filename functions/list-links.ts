import { table } from '../lib/dynamodb/table.ts';
import { json } from '../lib/http/http.ts';
import { withOwnerApi } from '../lib/http/owner-api.ts';
import type { ListLinksAnswer } from '../lib/links/answer-schemas.ts';
import { auditLinks } from '../lib/links/audit.ts';
import { describeLink, foreignCursorError } from '../lib/links/link-answer.ts';
import { parseListQuery } from '../lib/links/link-request.ts';
import { listLinks } from '../lib/links/owned-links.ts';
import { publicOrigin } from '../lib/links/public-origin.ts';

/** GET /links: the caller's links, newest first, a page at a time. */
export const handler = withOwnerApi(async (event, owner) => {
  const query = parseListQuery(event.queryStringParameters ?? {});
  const page = await listLinks(table, owner, query);
  if (!page) throw foreignCursorError(query.cursor);
  auditLinks({ action: 'listed', sub: owner, codes: page.links.map(({ code }) => code) });
  const links = page.links.map((link) => describeLink(publicOrigin, link));
  return json(200, { ...page, links } satisfies ListLinksAnswer);
});

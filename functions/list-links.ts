import { utcDay } from '../lib/days.ts';
import { table } from '../lib/dynamodb/table.ts';
import { compress, csv, json } from '../lib/http/http.ts';
import { parseQuery } from '../lib/http/request.ts';
import { deletedOwner } from '../lib/keys.ts';
import type { ListLinksAnswer } from '../lib/links/api/answer-schemas.ts';
import { listQuerySchema } from '../lib/links/api/link-request.ts';
import { publicOrigin } from '../lib/links/api/public-origin.ts';
import { formatLinks } from '../lib/links/import-export/link-export.ts';
import { describeListedLink, foreignCursorError } from '../lib/links/storage/link-answer.ts';
import { type ListedLink, listLinks } from '../lib/links/storage/owned-links.ts';
import { auditLinks, withOwnerApi } from '../lib/owner-api.ts';

/** GET /links: the caller's links, or the deleted ones, newest first, a page at a time. */
export const handler = withOwnerApi(
  async (event, owner) => {
    const { format, deleted, ...query } = parseQuery(listQuerySchema, event.queryStringParameters);
    const date = utcDay(Date.now());
    const lister = deleted ? deletedOwner(owner) : owner;
    const describe = (link: ListedLink) => describeListedLink(publicOrigin, link);
    const page = await listLinks(table, lister, { ...query, date, describe });
    if (!page) throw foreignCursorError(query.cursor);
    const { links, cursor } = page;
    auditLinks({ action: 'listed', sub: owner, codes: links.map(({ code }) => code) });
    const path = event.routeKey.slice('GET '.length);
    const state = deleted ? 'deleted=true&' : '';
    const next = cursor && `${path}?${state}format=csv&limit=${query.limit}&cursor=${cursor}`;
    const answer =
      format === 'csv'
        ? csv(formatLinks(links, { isFirst: query.cursor === undefined }), next)
        : json(200, page satisfies ListLinksAnswer);
    return compress(answer, event.headers['accept-encoding']);
  },
  { readsQuery: true },
);

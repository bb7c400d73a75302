import { table } from '../lib/dynamodb/table.ts';
import { csv, json } from '../lib/http/http.ts';
import { auditLinks, withOwnerApi } from '../lib/http/owner-api.ts';
import { parseQuery } from '../lib/http/request.ts';
import type { GetLinkStatsAnswer } from '../lib/links/answer-schemas.ts';
import { notFoundError, parseCode } from '../lib/links/code.ts';
import { summarizeDays } from '../lib/links/days.ts';
import { reportDrift, reportUnevenCampaigns, reportUnevenDays } from '../lib/links/drift.ts';
import { formatDays } from '../lib/links/export.ts';
import { describeLink } from '../lib/links/link-answer.ts';
import { statsQuerySchema } from '../lib/links/link-request.ts';
import { readLinkStats } from '../lib/links/links.ts';
import { publicOrigin } from '../lib/links/public-origin.ts';

/** GET /links/{code}/stats: a link's clicks in total, by day and by breakdown. */
export const handler = withOwnerApi(
  async (event, caller) => {
    const code = parseCode(event.pathParameters?.code);
    const { format, ...range } = parseQuery(statsQuerySchema, event.queryStringParameters);
    const stats = await readLinkStats(table, code, { ...range, user: caller });
    if (!stats) throw notFoundError(code);
    reportUnevenDays(code, stats.days);
    await reportUnevenCampaigns(code, stats);
    if (range.from === undefined && range.to === undefined) await reportDrift(code, stats);
    auditLinks({ action: 'read', sub: caller, code });
    if (format === 'csv') return csv(formatDays(stats.days));
    const link = describeLink(publicOrigin, { ...stats.link, code });
    const { days, campaigns } = stats;
    return json(200, { ...link, ...summarizeDays(days), campaigns } satisfies GetLinkStatsAnswer);
  },
  { readsQuery: true },
);

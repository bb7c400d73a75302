import { flag, readEnv } from '../lib/config.ts';
import { table } from '../lib/dynamodb/table.ts';
import { csv, json } from '../lib/http/http.ts';
import { parseQuery } from '../lib/http/request.ts';
import type { GetLinkStatsAnswer } from '../lib/links/api/answer-schemas.ts';
import { statsQuerySchema } from '../lib/links/api/link-request.ts';
import { publicOrigin } from '../lib/links/api/public-origin.ts';
import { formatDays } from '../lib/links/import-export/day-export.ts';
import { notFoundError, parseCode } from '../lib/links/rules/code.ts';
import { summarizeDays } from '../lib/links/storage/days.ts';
import {
  reportDrift,
  reportUnevenCampaigns,
  reportUnevenDays,
} from '../lib/links/storage/drift.ts';
import { describeLink } from '../lib/links/storage/link-answer.ts';
import { readLinkStats } from '../lib/links/storage/links.ts';
import { addVisitors, noSketches } from '../lib/links/storage/visitor-counts.ts';
import { auditLinks, withOwnerApi } from '../lib/owner-api.ts';

const { COUNT_VISITORS } = readEnv({ COUNT_VISITORS: flag });

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
    // Sketches from before the stage turned visitors off would look like all visitors.
    const sketches = COUNT_VISITORS ? stats.sketches : noSketches;
    if (format === 'csv') return csv(formatDays(stats.days, sketches));
    const link = describeLink(publicOrigin, { ...stats.link, code });
    const { days, campaigns } = stats;
    const summary = addVisitors(summarizeDays(days), sketches);
    return json(200, { ...link, ...summary, campaigns } satisfies GetLinkStatsAnswer);
  },
  { readsQuery: true },
);

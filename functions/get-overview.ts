import { flag, readEnv } from '../lib/config.ts';
import { table } from '../lib/dynamodb/table.ts';
import { compress, csv, json } from '../lib/http/http.ts';
import { parseQuery } from '../lib/http/request.ts';
import { publicOrigin } from '../lib/links/api/public-origin.ts';
import { readOverview } from '../lib/overview/overview.ts';
import { overviewQuerySchema } from '../lib/overview/overview-request.ts';
import type { OverviewAnswer } from '../lib/overview/overview-schemas.ts';
import { formatReport } from '../lib/overview/report.ts';
import { auditLinks, withOwnerApi } from '../lib/owner-api.ts';

const { COUNT_VISITORS } = readEnv({ COUNT_VISITORS: flag });

/** GET /links/overview: the clicks on all of the caller's links, or some of them, within a range. */
export const handler = withOwnerApi(
  async (event, owner) => {
    const { visitors, ...query } = parseQuery(overviewQuerySchema, event.queryStringParameters);
    const nowMs = Date.now();
    const overview = await readOverview(table, owner, query, {
      origin: publicOrigin,
      nowMs,
      withVisitors: COUNT_VISITORS && visitors !== undefined,
    });
    auditLinks({ action: 'summed', sub: owner });
    const answer =
      query.format === 'csv'
        ? csv(formatReport(overview, query))
        : json(200, overview satisfies OverviewAnswer);
    return compress(answer, event.headers['accept-encoding']);
  },
  { readsQuery: true },
);

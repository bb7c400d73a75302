import { json, withHttpApi } from '../lib/http/http.ts';
import type { GetLinkStatsAnswer } from '../lib/links/answer-schemas.ts';
import { summarizeDays } from '../lib/links/day-stats.ts';
import { reportDrift } from '../lib/links/drift.ts';
import { notFound, parseCode, parseDayRange } from '../lib/links/link-request.ts';
import { readLinkStats } from '../lib/links/links.ts';

/** GET /links/{code}/stats: a link's clicks in total, by day and by breakdown. */
export const handler = withHttpApi(async (event) => {
  const code = parseCode(event.pathParameters?.code);
  const range = parseDayRange(event.queryStringParameters ?? {});
  const stats = await readLinkStats(code, range);
  if (!stats) throw notFound(code);
  if (range.from === undefined && range.to === undefined) await reportDrift(code, stats);
  const { link, days } = stats;
  const answer: GetLinkStatsAnswer = {
    ...{ code, url: link.url, clicks: link.clicks },
    ...summarizeDays(days),
  };
  return json(200, answer);
});

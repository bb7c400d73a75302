import { json, withHttpApi } from '../lib/http/http.ts';
import { reportDrift, reportUnevenDays } from '../lib/links/drift.ts';
import { notFound, parseCode, parseDayRange } from '../lib/links/link-request.ts';
import { readLinkStats } from '../lib/links/links.ts';

/** GET /links/{code}/stats: a link's clicks in total and by day. */
export const handler = withHttpApi(async (event) => {
  const code = parseCode(event.pathParameters?.code);
  const range = parseDayRange(event.queryStringParameters ?? {});
  const stats = await readLinkStats(code, range);
  if (!stats) throw notFound(code);
  reportUnevenDays(code, stats.days);
  if (range.from === undefined && range.to === undefined) await reportDrift(code, stats);
  const { link } = stats;
  const days = stats.days.map(({ date, count }) => ({ date, count }));
  return json(200, { code, url: link.url, clicks: link.clicks, days });
});

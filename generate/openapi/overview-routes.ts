import { listBreakdowns } from '../../lib/clicks/breakdowns.ts';
import { parseQuery } from '../../lib/http/request.ts';
import { overviewQuerySchema } from '../../lib/overview/overview-request.ts';
import { overviewAnswerSchema } from '../../lib/overview/overview-schemas.ts';
import { answer, type Routes, rejection } from './route.ts';

const sums = { clicks: 4, people: 3, bots: 1 };
const november = { from: '2026-11-01', to: '2026-11-30', ...sums, visitors: 2 };
const october = {
  from: '2026-10-01',
  to: '2026-10-31',
  clicks: 2,
  people: 2,
  bots: 0,
  visitors: 2,
};

const overview = {
  ...november,
  readAt: '2026-12-01T08:00:00.000Z',
  days: [{ date: '2026-11-26', count: 4, people: 3, bots: 1 }],
  comparison: { current: november, before: october },
  links: [{ code: 'spring', shortUrl: 'https://go.example.com/spring', ...sums, visitors: 2 }],
  chosenLinks: 2,
  oldLinks: 0,
  hasMoreLinks: false,
  values: {
    breakdowns: listBreakdowns({ vh: 3, vb: 1, dm: 2, dd: 1, db: 1, rd: 3, rb: 1 }, 4),
    campaigns: { utm_source: [{ name: 'newsletter', count: 2, people: 2, undivided: 0 }] },
    unread: { links: 0, clicks: 0 },
  },
};

export const overviewRoutes: Routes = {
  'GET /links/overview': {
    function: 'get-overview',
    summary: 'Sum the clicks on your links.',
    description:
      "Sums the clicks on all of the caller's links, or on those with a code, a tag or a search, within an " +
      'inclusive range of UTC days, and compares them with an earlier period. Another request within ten ' +
      'seconds sums the same clicks: `readAt` says when they were read. With `values=true`, also the ' +
      'breakdowns and campaigns of the 500 links with the most clicks. With `visitors=true`, ' +
      'also how many different people there were, estimated, in the range, in the periods that are compared, ' +
      "and on each link. They aren't returned, but `unreadVisitors`, if the links have more than 30,000 days " +
      'with people in these periods together. As CSV, each day, link and value has a line.',
    query: overviewQuerySchema,
    answers: {
      200: {
        ...answer('The clicks of the range.', overviewAnswerSchema, { november: overview }),
        mediaTypes: ['text/csv'],
      },
      404: 'NotOwned',
      400: rejection("A date is missing or invalid, or a parameter doesn't exist.", {
        noRange: () => parseQuery(overviewQuerySchema, { from: '2026-11-01' }),
        reversed: () => parseQuery(overviewQuerySchema, { from: '2026-11-30', to: '2026-11-01' }),
        unknownParameter: () =>
          parseQuery(overviewQuerySchema, {
            from: '2026-11-01',
            to: '2026-11-30',
            timezone: 'UTC',
          }),
      }),
    },
  },
};

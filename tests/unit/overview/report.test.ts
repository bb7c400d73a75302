import { expect, test } from 'vitest';
import { formatReport } from '../../../lib/overview/report.ts';

test('a report whose newest clicks are not all read says so', () => {
  const overview = {
    from: '2026-11-01',
    to: '2026-11-30',
    readAt: '2026-12-01T10:00:00.000Z',
    clicks: 5,
    people: 3,
    bots: 2,
    days: [],
    links: [],
    chosenLinks: 9,
    oldLinks: 4,
    hasMoreLinks: false,
  };
  const last = 'without their newest clicks,4 links,2026-11-01,2026-11-30,,,,\n';

  expect(formatReport(overview)).toContain(last);
  expect(formatReport({ ...overview, oldLinks: 0 })).not.toContain('newest clicks');
});

import { expect, test } from 'vitest';
import { formatReport } from '../../../lib/overview/report.ts';

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

test('a report whose newest clicks are not all read says so', () => {
  const last = 'without their newest clicks,4 links,2026-11-01,2026-11-30,,,,\n';

  expect(formatReport(overview, {})).toContain(last);
  expect(formatReport({ ...overview, oldLinks: 0 }, {})).not.toContain('newest clicks');
});

test.each([
  [{}, 'all links'],
  [{ filter: 'country:DE' }, '"all links, country:DE"'],
  [{ code: 'spring' }, 'link spring'],
  [{ tag: 'poster' }, 'tag poster'],
  [
    { tag: '=1+1', search: 'q4 print', filter: 'utm_source:mail' },
    `"tag =1+1, search q4 print, utm_source:mail"`,
  ],
])('the total of a report of %j says so', (choice, name) => {
  const total = `total,${name},2026-11-01,2026-11-30,5,3,2,\n`;

  expect(formatReport(overview, choice)).toContain(total);
});

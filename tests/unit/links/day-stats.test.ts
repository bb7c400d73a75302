import { expect, test } from 'vitest';
import { summarizeDay, summarizeDays } from '../../../lib/links/day-stats.ts';

const sunday = {
  date: '2026-05-24',
  count: 4,
  numbers: { vh: 3, vb: 1, dd: 4, rd: 4, h23: 4, cc: 4 },
};
const monday = { date: '2026-05-25', count: 2, numbers: { vb: 2, dm: 2, rd: 2, h00: 2 } };

test('one day has its own people, bots and breakdowns', () => {
  expect(summarizeDay(sunday)).toMatchObject({
    date: '2026-05-24',
    count: 4,
    people: 3,
    bots: 1,
    breakdowns: {
      visitor: [
        { name: 'human', count: 3 },
        { name: 'bot', count: 1 },
      ],
      device: [{ name: 'desktop', count: 4 }],
      referrer: [{ name: 'direct', count: 4 }],
      hour: [{ name: '23', count: 4 }],
      country: [{ name: 'DE', count: 4 }],
    },
  });
});

test('several days have separate people and bots and combined breakdowns', () => {
  expect(summarizeDays([sunday, monday])).toMatchObject({
    people: 3,
    bots: 3,
    days: [
      { date: '2026-05-24', count: 4, people: 3, bots: 1 },
      { date: '2026-05-25', count: 2, people: 0, bots: 2 },
    ],
    breakdowns: {
      visitor: [
        { name: 'human', count: 3 },
        { name: 'bot', count: 3 },
      ],
      device: [
        { name: 'desktop', count: 4 },
        { name: 'mobile', count: 2 },
      ],
      referrer: [{ name: 'direct', count: 6 }],
      hour: [
        { name: '00', count: 2 },
        { name: '23', count: 4 },
      ],
      country: [
        { name: 'DE', count: 4 },
        { name: 'unknown', count: 2 },
      ],
    },
  });
});

import { expect, test } from 'vitest';
import { barUnit, toBars, toHours } from '../../../dashboard/charts/scale.ts';
import { listDays } from '../../../dashboard/days.ts';
import { addDays } from '../../../lib/days.ts';

test('a bar stands for a day or, of more than 124 days, for a month, and no click is lost', () => {
  const days = [
    { date: '2026-11-20', count: 5, people: 2, bots: 2 },
    { date: '2026-11-22', count: 1, people: 1, bots: 0 },
  ];

  expect([124, 125].map(barUnit)).toEqual(['day', 'month']);
  expect(toBars(days, listDays('2026-11-20', '2026-11-22'))).toEqual([
    { label: '20 Nov', title: '20 Nov 2026', clicks: 5, people: 2, bots: 2, unknown: 1 },
    { label: '21 Nov', title: '21 Nov 2026', clicks: 0, people: 0, bots: 0, unknown: 0 },
    { label: '22 Nov', title: '22 Nov 2026', clicks: 1, people: 1, bots: 0, unknown: 0 },
  ]);
  const months = toBars(days, listDays(addDays('2026-11-22', -300), '2026-11-22'));
  const november = { label: 'Nov 2026', title: 'Nov 2026' };
  expect(months.at(-1)).toEqual({ ...november, clicks: 6, people: 3, bots: 2, unknown: 1 });
  expect(months).toHaveLength(11);
});

test('the hours of two UTC days end now, or with the last click if the clock is slow', () => {
  const days = [[{ name: '23', count: 4 }], [{ name: '01', count: 2 }]];
  const hours = toHours(days, Date.parse('2026-11-22T03:30:00Z'));

  expect(hours).toHaveLength(28);
  expect(hours.filter(({ clicks }) => clicks > 0)).toEqual([
    { atMs: Date.parse('2026-11-21T23:00:00Z'), clicks: 4 },
    { atMs: Date.parse('2026-11-22T01:00:00Z'), clicks: 2 },
  ]);
  expect(toHours(days, Date.parse('2026-11-22T00:59:59Z'))).toHaveLength(26);
});

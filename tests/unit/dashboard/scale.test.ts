import { describe, expect, test } from 'vitest';
import { barUnit, niceCeiling, sparkline, toBars } from '../../../dashboard/charts/scale.ts';
import { addDays, listDays } from '../../../dashboard/days.ts';

test.each([
  [0, 4],
  [4, 4],
  [7, 8],
  [11, 16],
  [101, 150],
  [999, 1_000],
  [1_201, 1_500],
])('an axis for up to %d ends on %d, whose half is a whole number', (max, ceiling) => {
  expect(niceCeiling(max)).toBe(ceiling);
});

test.each([
  [124, 'day'],
  [125, 'week'],
  [868, 'week'],
  [869, 'month'],
])('a bar of %d days stands for a %s', (days, unit) => {
  expect(barUnit(days)).toBe(unit);
});

describe('the bars of a period', () => {
  const days = [
    { date: '2026-11-20', count: 5, people: 2, bots: 2 },
    { date: '2026-11-22', count: 1, people: 1, bots: 0 },
  ];

  test('show each day, including days without clicks', () => {
    expect(toBars(days, listDays('2026-11-20', '2026-11-22'))).toEqual([
      { label: '20 Nov', title: '20 Nov 2026', clicks: 5, people: 2, bots: 2, unknown: 1 },
      { label: '21 Nov', title: '21 Nov 2026', clicks: 0, people: 0, bots: 0, unknown: 0 },
      { label: '22 Nov', title: '22 Nov 2026', clicks: 1, people: 1, bots: 0, unknown: 0 },
    ]);
  });

  test('show weeks from Monday if there are too many days, and lose no click', () => {
    const bars = toBars(days, listDays(addDays('2026-11-22', -300), '2026-11-22'));

    expect(bars.at(-1)).toEqual({
      label: '16 Nov',
      title: 'week of 16 Nov 2026',
      ...{ clicks: 6, people: 3, bots: 2, unknown: 1 },
    });
    expect(bars.length).toBeLessThanOrEqual(44);
  });
});

test('a sparkline touches the top at its largest value and the bottom at 0', () => {
  expect(sparkline([0, 5, 10], 20, 10)).toBe('M0,10L10,5L20,0');
  expect(sparkline([0, 0], 20, 10)).toBe('M0,10L20,10');
  expect(sparkline([], 20, 10)).toBe('');
});

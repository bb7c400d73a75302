import { describe, expect, test } from 'vitest';
import { comparePeriods } from '../../../lib/overview/periods.ts';

const today = '2026-11-29';

function compare(from: string, to: string, comparison: 'before' | 'year' = 'before') {
  const periods = comparePeriods({ from, to }, comparison, today);
  return periods && { current: toText(periods.current), before: toText(periods.before) };
}

function toText({ from, to }: { from: string; to: string }): string {
  return `${from} to ${to}`;
}

describe('a range is compared with', () => {
  test.each([
    ['as many days before it', '2026-11-22', '2026-11-28', '2026-11-15 to 2026-11-21'],
    ['the day before', '2026-11-28', '2026-11-28', '2026-11-27 to 2026-11-27'],
    ['the month before, if it is a month', '2026-10-01', '2026-10-31', '2026-09-01 to 2026-09-30'],
    ['three months before three months', '2026-04-01', '2026-06-30', '2026-01-01 to 2026-03-31'],
    ['the year before a year', '2025-01-01', '2025-12-31', '2024-01-01 to 2024-12-31'],
    ['30 days, if it is no month', '2026-10-02', '2026-10-31', '2026-09-02 to 2026-10-01'],
    ['days across a leap day', '2024-03-01', '2024-03-07', '2024-02-23 to 2024-02-29'],
  ])('%s', (_, from, to, before) => {
    expect(compare(from, to)).toEqual({ current: `${from} to ${to}`, before });
  });

  test.each([
    ['2026-11-22', '2026-11-28', '2025-11-22 to 2025-11-28'],
    ['2024-02-01', '2024-02-29', '2023-02-01 to 2023-02-28'],
    ['2025-02-01', '2025-02-28', '2024-02-01 to 2024-02-29'],
    ['2024-02-29', '2024-03-01', '2023-02-28 to 2023-03-01'],
  ])('the same days a year earlier: %s to %s with %s', (from, to, before) => {
    expect(compare(from, to, 'year')).toEqual({ current: `${from} to ${to}`, before });
  });
});

test('today and later days are left out of both periods, so a month with today is compared by days', () => {
  expect(compare('2026-11-23', '2026-11-30')).toEqual({
    current: '2026-11-23 to 2026-11-28',
    before: '2026-11-17 to 2026-11-22',
  });
  expect(compare('2026-11-01', '2026-11-29')).toEqual({
    current: '2026-11-01 to 2026-11-28',
    before: '2026-10-04 to 2026-10-31',
  });
  expect(compare('2026-01-01', today, 'year')).toEqual({
    current: '2026-01-01 to 2026-11-28',
    before: '2025-01-01 to 2025-11-28',
  });
});

test('a range without a full day has nothing to compare', () => {
  expect(compare(today, today)).toBeUndefined();
  expect(compare('2026-11-30', '2026-12-02')).toBeUndefined();
});

import { expect, test } from 'vitest';
import {
  daysOf,
  hashOfOverview,
  type OverviewQuery,
  type Preset,
  parseOverview,
} from '../../../dashboard/overview-query.ts';

const usual = { range: '30d', compare: 'before' };

test('the address of an overview leads to the same overview', () => {
  const queries: OverviewQuery[] = [
    { range: '30d', compare: 'before' },
    { range: 'last-month', compare: 'year', tag: 'b&c=d' },
    { range: { from: '2026-10-01', to: '2026-10-31' }, compare: 'none', code: 'spring-Sale_1' },
    {
      range: '7d',
      compare: 'before',
      tag: 'sale',
      search: 'q4 print & http://go.example.com/c?a=b#c',
    },
    { range: '30d', compare: 'before', filter: { name: 'utm_campaign', value: 'q4: sale=1' } },
  ];
  for (const query of queries) expect(parseOverview(hashOfOverview(query))).toEqual(query);
  expect(hashOfOverview()).toBe('#/overview');
  expect(hashOfOverview({ search: 'q4 print' })).toBe('#/overview?q=q4+print');
});

test.each([
  'range=toString',
  'range=1d',
  'compare=week',
  'from=2026-11-02&to=2026-11-01',
  'from=2026-13-01&to=2026-13-02',
  'from=2026-11-01',
  'tag=&q=&code=',
  'filter=country',
  'filter=country:',
  'filter=toString:a',
])('the invalid part of %s becomes the usual one', (given) => {
  expect(parseOverview(`#/overview?${given}`)).toEqual(usual);
});

test('another address is not an overview', () => {
  for (const hash of ['', '#/', '#/overviews', '#/links/overview']) {
    expect(parseOverview(hash)).toBeUndefined();
  }
});

test.each<[Preset, string, string]>([
  ['7d', '2026-11-22', '2026-11-28'],
  ['30d', '2026-10-30', '2026-11-28'],
  ['90d', '2026-08-31', '2026-11-28'],
  // The 29th is a Sunday.
  ['this-week', '2026-11-23', '2026-11-29'],
  ['last-week', '2026-11-16', '2026-11-22'],
  ['this-month', '2026-11-01', '2026-11-29'],
  ['last-month', '2026-10-01', '2026-10-31'],
  ['this-year', '2026-01-01', '2026-11-29'],
  ['last-year', '2025-01-01', '2025-12-31'],
])('on 29 November 2026, %s is %s to %s', (range, from, to) => {
  expect(daysOf(range, '2026-11-29')).toEqual({ from, to });
});

test('on a Monday and on 1 January, this week, month and year have one day, and the last ones end the day before', () => {
  // 1 January 2024 was a Monday.
  for (const range of ['this-week', 'this-month', 'this-year'] as const) {
    expect(daysOf(range, '2024-01-01')).toEqual({ from: '2024-01-01', to: '2024-01-01' });
  }
  expect(daysOf('last-week', '2024-01-01')).toEqual({ from: '2023-12-25', to: '2023-12-31' });
  expect(daysOf('last-month', '2024-01-01')).toEqual({ from: '2023-12-01', to: '2023-12-31' });
  expect(daysOf('last-month', '2024-03-31')).toEqual({ from: '2024-02-01', to: '2024-02-29' });
  expect(daysOf('last-year', '2024-01-01')).toEqual({ from: '2023-01-01', to: '2023-12-31' });
});

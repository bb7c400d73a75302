import { expect, test } from 'vitest';
import {
  countOf,
  formatChange,
  formatCount,
  formatShare,
  shortenUrl,
} from '../../../dashboard/format.ts';

test('a count has separators, and only 1 has a singular noun', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567');
  expect([0, 1, 2].map((count) => countOf(count, 'click'))).toEqual([
    '0 clicks',
    '1 click',
    '2 clicks',
  ]);
  expect(countOf(2, 'copy', 'copies')).toBe('2 copies');
});

test.each([
  [0, 10, '0%'],
  [0, 0, '0%'],
  [1, 1_000, '<1%'],
  [1, 3, '33%'],
  [10, 10, '100%'],
])('%d of %d is %s', (part, whole, share) => {
  expect(formatShare(part, whole)).toBe(share);
});

test('a URL is shown without its scheme, "www." and a bare slash', () => {
  expect(shortenUrl('https://www.example.com/')).toBe('example.com');
  expect(shortenUrl('http://example.com/a/?b=c')).toBe('example.com/a/?b=c');
});

test.each([
  [12, 10, '+20%'],
  [19, 20, '−5%'],
  [10, 10, '0%'],
])('%d instead of %d is a change of %s', (count, before, change) => {
  expect(formatChange(count, before)).toBe(change);
});

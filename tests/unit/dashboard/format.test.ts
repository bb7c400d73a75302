import { expect, test } from 'vitest';
import * as format from '../../../dashboard/format.ts';

test.each([
  [format.formatCount(1_234_567), '1,234,567'],
  ...[0, 1, 2].map((count) => [
    format.countOf(count, 'click'),
    ['0 clicks', '1 click', '2 clicks'][count],
  ]),
  [format.countOf(2, 'copy', 'copies'), '2 copies'],
  [format.formatShare(0, 10), '0%'],
  [format.formatShare(0, 0), '0%'],
  [format.formatShare(1, 1_000), '<1%'],
  [format.formatShare(1, 3), '33%'],
  [format.formatChange(12, 10), '+20%'],
  [format.formatChange(19, 20), '−5%'],
  [format.formatChange(10, 10), '0%'],
  [format.shortenUrl('https://www.example.com/'), 'example.com'],
  [format.shortenUrl('http://example.com/a/?b=c'), 'example.com/a/?b=c'],
])('counts, shares, changes and URLs are short: %s', (shown, expected) => {
  expect(shown).toBe(expected);
});

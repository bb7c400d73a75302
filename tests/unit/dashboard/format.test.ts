import { expect, test } from 'vitest';
import { formatChange } from '../../../dashboard/format.ts';

test.each([
  [72, 100, '−28%'],
  [2_500, 100, '+2,400%'],
  [1_002, 1_000, '0%'],
  [998, 1_000, '0%'],
])('%i clicks against %i are a change of %s', (count, before, expected) => {
  expect(formatChange(count, before)).toBe(expected);
});

import { expect, test } from 'vitest';
import { findProfile } from '../../../capacity/profiles.ts';

test.each([
  [10, 100_000],
  [999_999, 100_000],
  [1_000_000, 1_000_000],
  [60_000_000, 10_000_000],
  [5_000_000_000, 1_000_000_000],
])('a site with %d clicks a month gets the settings for %d', (clicks, expected) => {
  expect(findProfile(clicks).clicksPerMonth).toBe(expected);
});

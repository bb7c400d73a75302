import { expect, test } from 'vitest';
import { findProfile } from '../../../capacity/profiles.ts';
test.each([
    [10, 100000],
    [999999, 100000],
    [1000000, 1000000],
    [60000000, 10000000],
    [5000000000, 1000000000],
])('a site with %d clicks a month gets the settings for %d', (clicks, expected) => {
    expect(findProfile(clicks).clicksPerMonth).toBe(expected);
});

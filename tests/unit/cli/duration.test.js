import { expect, test } from 'vitest';
import { parseDuration } from '../../../cli/duration.ts';
test('a duration is a whole number of seconds, minutes, hours or days', () => {
    const valid = { '90s': 90000, '30m': 1800000, '12h': 43200000, '7d': 604800000, '0s': 0 };
    for (const [text, ms] of Object.entries(valid))
        expect(parseDuration(text)).toBe(ms);
    for (const text of ['7', 'd', '-1d', '1w', '1.5h', '', '9999999999999d']) {
        expect(() => parseDuration(text), text).toThrow('Expected a duration such as 90s, 30m, 12h or 7d.');
    }
});

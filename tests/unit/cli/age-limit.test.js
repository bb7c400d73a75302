import { expect, test } from 'vitest';
import { describeExcessAge } from '../../../cli/dlq/age-limit.ts';
import { makeClick, makeEnvelope, makeNested } from '../../helpers/clicks.ts';
const dayMs = 24 * 3600000;
const nowMs = Date.parse('2026-05-26T10:00:00Z');
const retention = { queueRetentionMs: 4 * dayMs, deadLetterRetentionMs: 14 * dayMs };
const clickAt = (at) => makeClick('some-id', 'known', { at });
const today = clickAt('2026-05-26T09:00:00Z');
const envelopeOf = (...days) => makeEnvelope(['no click', ...days.flatMap((at) => makeNested(1, 'known', { at }))]);
const oldDay = "its click's day, 2026-05-08, began more than 18d ago";
const oldCopy = 'it first arrived more than 18d ago';
test.each([
    ['a new click', today, dayMs / 24, undefined],
    ['a copy at the limit', today, 18 * dayMs, undefined],
    ['a click whose day began less than 18 days ago', clickAt('2026-05-09T00:00:00Z'), 0, undefined],
    ['a message that is not JSON', 'not JSON', 0, undefined],
    ['a new copy of an old click', clickAt('2026-05-08T23:59:59Z'), 0, oldDay],
    [
        'an envelope with an old click',
        envelopeOf('2026-05-26T09:00:00Z', '2026-05-08T09:00:00Z', '2026-05-25T09:00:00Z'),
        0,
        oldDay,
    ],
    ['an old copy', today, 18 * dayMs + 1, oldCopy],
    ['an old message without a time', 'not JSON', 19 * dayMs, oldCopy],
])('%s may be moved unless it is too old', (_, body, ageMs, reason) => {
    const message = { body, firstSentMs: nowMs - ageMs };
    expect(describeExcessAge(message, retention, nowMs)).toBe(reason);
});

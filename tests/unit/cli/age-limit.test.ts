import { expect, test } from 'vitest';
import { describeExcessAge } from '../../../cli/dlq/age-limit.ts';
import { makeClick } from '../../helpers/clicks.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const nowMs = Date.parse('2026-05-26T10:00:00Z');
const retention = { queueRetentionMs: 4 * dayMs, deadLetterRetentionMs: 14 * dayMs };
const limitMs = 18 * dayMs;

const clickAt = (at: string) => makeClick('some-id', 'known', { at });
const describe = (body: string, ageMs = 0) =>
  describeExcessAge({ body, firstSentMs: nowMs - ageMs }, retention, nowMs);

test.each([
  ['a new click', clickAt('2026-05-26T09:00:00Z'), hourMs],
  ['a copy at the limit', clickAt('2026-05-26T09:00:00Z'), limitMs],
  ['a click whose day began less than 18 days ago', clickAt('2026-05-09T00:00:00Z'), 0],
  ['a message without a readable time, because it is invalid', '{"id":"some-id"}', 0],
  ['a message that is not JSON', 'not JSON', 0],
  ['a click of tomorrow', clickAt('2026-05-27T09:00:00Z'), 0],
])('%s may be moved', (_, body, ageMs) => {
  expect(describe(body, ageMs)).toBeUndefined();
});

test.each([
  [
    'a new copy of an old click',
    clickAt('2026-05-08T23:59:59Z'),
    0,
    "its click's day, 2026-05-08, began more than 18d ago",
  ],
  [
    'an old copy',
    clickAt('2026-05-26T09:00:00Z'),
    limitMs + 1,
    'it first arrived more than 18d ago',
  ],
  ['an old message without a time', 'not JSON', 19 * dayMs, 'it first arrived more than 18d ago'],
])('%s may not be moved', (_, body, ageMs, reason) => {
  expect(describe(body, ageMs)).toBe(reason);
});

import { expect, test } from 'vitest';
import { addUpDeliverySeconds } from '../../../lib/idempotency/index.ts';

const queueRetentionSeconds = 100;

test.each([
  ['a queue', { queueRetentionSeconds }, 100],
  ['a source that retries', { queueRetentionSeconds, sourceRetrySeconds: 7 }, 107],
  [
    'a dead-letter queue and one redrive',
    { queueRetentionSeconds, deadLetterRetentionSeconds: 1_000 },
    1_200,
  ],
  [
    'two redrives',
    { queueRetentionSeconds, deadLetterRetentionSeconds: 1_000, redrives: 2 },
    2_300,
  ],
  ['no redrive', { queueRetentionSeconds, deadLetterRetentionSeconds: 1_000, redrives: 0 }, 100],
])('a record can come again after the seconds of %s', (_, settings, seconds) => {
  expect(addUpDeliverySeconds(settings)).toBe(seconds);
});

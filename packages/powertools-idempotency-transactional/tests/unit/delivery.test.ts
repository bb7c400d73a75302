import {
  addUpDeliverySeconds,
  UnsafeConfigurationError,
} from 'powertools-idempotency-transactional';
import { expect, test } from 'vitest';

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

test.each([
  ['deadLetterRetentionSeconds', Number.NaN],
  ['sourceRetrySeconds', -1],
  ['redrives', 0.5],
])('%s of %d is refused, because a marker would expire too early', (name, value) => {
  const add = () => addUpDeliverySeconds({ queueRetentionSeconds, [name]: value });

  expect(add).toThrow(UnsafeConfigurationError);
  expect(add).toThrow(`${name} is ${value}. Set it to a whole number, 0 or more.`);
});

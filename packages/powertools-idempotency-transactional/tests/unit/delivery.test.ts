import {
  addUpDeliverySeconds,
  type DeliverySettings,
  UnsafeConfigurationError,
} from 'powertools-idempotency-transactional';
import { expect, test } from 'vitest';

test.each<[Partial<DeliverySettings>, number]>([
  [{}, 100],
  [{ sourceRetrySeconds: 7 }, 107],
  [{ deadLetterRetentionSeconds: 1_000 }, 1_200],
  [{ deadLetterRetentionSeconds: 1_000, redrives: 2 }, 2_300],
  [{ deadLetterRetentionSeconds: 1_000, redrives: 0 }, 100],
])('beside a queue of 100 seconds, with %j a record can return for %i seconds', (own, seconds) => {
  expect(addUpDeliverySeconds({ queueRetentionSeconds: 100, ...own })).toBe(seconds);
});

test.each([
  ['deadLetterRetentionSeconds', Number.NaN],
  ['sourceRetrySeconds', -1],
  ['redrives', 0.5],
])('%s of %d is rejected, because a marker would expire too early', (name, value) => {
  expect(() => addUpDeliverySeconds({ queueRetentionSeconds: 100, [name]: value })).toThrow(
    new UnsafeConfigurationError(`${name} is ${value}. Set it to a whole number, 0 or more.`),
  );
});

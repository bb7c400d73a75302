import { UnsafeConfigurationError } from './errors.ts';

/**
 * How long each part of a queue's path keeps a message, in seconds.
 *
 * @example
 * ```ts
 * import type { DeliverySettings } from 'powertools-idempotency-transactional';
 *
 * export const queue: DeliverySettings = { queueRetentionSeconds: 4 * 24 * 60 * 60 };
 * ```
 */
export interface DeliverySettings {
  /** How long the source, such as EventBridge, tries to deliver to the queue; 0 by default. */
  sourceRetrySeconds?: number;
  /** The queue's `MessageRetentionPeriod`. */
  queueRetentionSeconds: number;
  /** The dead-letter queue's `MessageRetentionPeriod`; 0 by default, for no such queue. */
  deadLetterRetentionSeconds?: number;
  /** How often a message is redriven from the dead-letter queue; 1 by default. */
  redrives?: number;
}

/**
 * The longest time, in seconds, after which a message can return: the source's retries, the queue,
 * the dead-letter queue, and for each redrive the queue again. A marker must live that long.
 *
 * @example
 * ```ts
 * import { addUpDeliverySeconds } from 'powertools-idempotency-transactional';
 *
 * export const markerTtlSeconds = addUpDeliverySeconds({ queueRetentionSeconds: 345_600 });
 * ```
 * @throws {UnsafeConfigurationError} for a setting that isn't a whole number, or is below 0.
 */
export function addUpDeliverySeconds({
  sourceRetrySeconds = 0,
  queueRetentionSeconds,
  deadLetterRetentionSeconds = 0,
  redrives = 1,
}: DeliverySettings): number {
  const queues = { queueRetentionSeconds, deadLetterRetentionSeconds };
  const settings = { sourceRetrySeconds, ...queues, redrives };
  // NaN, from an environment variable that isn't set, would make a marker that expires too early.
  for (const [name, value] of Object.entries(settings)) {
    if (Number.isSafeInteger(value) && value >= 0) continue;
    throw new UnsafeConfigurationError(`${name} is ${value}. Set it to a whole number, 0 or more.`);
  }
  const rounds = deadLetterRetentionSeconds > 0 ? redrives : 0;
  const redrivenSeconds = rounds * (deadLetterRetentionSeconds + queueRetentionSeconds);
  return sourceRetrySeconds + queueRetentionSeconds + redrivenSeconds;
}

import { UnsafeConfigurationError } from './errors.ts';

/** How long each part of a queue's path keeps a record, in seconds. */
export interface DeliverySettings {
  /** How long the source, such as EventBridge, tries to deliver to the queue; 0 by default. */
  sourceRetrySeconds?: number;
  /** The queue's `MessageRetentionPeriod`. */
  queueRetentionSeconds: number;
  /** The `MessageRetentionPeriod` of the dead-letter queue; without one, 0. */
  deadLetterRetentionSeconds?: number;
  /** How often a record may be redriven from the dead-letter queue; 1 by default. */
  redrives?: number;
}

/**
 * The longest time, in seconds, after which a record can come again: the source's retries, the queue,
 * the dead-letter queue, and for each redrive the queue again. A marker that lives as long outlives
 * them all.
 *
 * @throws {UnsafeConfigurationError} for a setting that is no whole number, or below 0.
 */
export function addUpDeliverySeconds({
  sourceRetrySeconds = 0,
  queueRetentionSeconds,
  deadLetterRetentionSeconds = 0,
  redrives = 1,
}: DeliverySettings): number {
  checkSettings({
    sourceRetrySeconds,
    queueRetentionSeconds,
    deadLetterRetentionSeconds,
    redrives,
  });
  const inDeadLetterQueue =
    deadLetterRetentionSeconds > 0
      ? redrives * (deadLetterRetentionSeconds + queueRetentionSeconds)
      : 0;
  return sourceRetrySeconds + queueRetentionSeconds + inDeadLetterQueue;
}

// NaN, from a variable that nobody set, would make a marker that expires too early.
function checkSettings(settings: Required<DeliverySettings>): void {
  for (const [name, value] of Object.entries(settings)) {
    if (Number.isSafeInteger(value) && value >= 0) continue;
    throw new UnsafeConfigurationError(`${name} is ${value}. Set it to a whole number, 0 or more.`);
  }
}

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
 */
export function addUpDeliverySeconds({
  sourceRetrySeconds = 0,
  queueRetentionSeconds,
  deadLetterRetentionSeconds = 0,
  redrives = 1,
}: DeliverySettings): number {
  const inDeadLetterQueue =
    deadLetterRetentionSeconds > 0
      ? redrives * (deadLetterRetentionSeconds + queueRetentionSeconds)
      : 0;
  return sourceRetrySeconds + queueRetentionSeconds + inDeadLetterQueue;
}

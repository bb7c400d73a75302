import { readClick } from '../../lib/clicks/click.ts';
import { listEvents } from '../../lib/clicks/records.ts';
import type { Retention } from '../connection.ts';
import { formatDuration } from '../duration.ts';
import type { DeadLetter } from './dead-letters.ts';

/**
 * Says why a message is too old to return to ClickQueue, or undefined. Two ages must be within the
 * limit, the sum of both queues' retention: the copy's, and the time since its click's UTC day
 * began (of an envelope, the oldest click's). A late copy is young itself, but its click's marker may
 * expire before it.
 *
 * A marker outlives another pass through ClickQueue: it lives for the limit, plus ClickQueue's
 * retention, plus the bus's retries, from the commit. The commit isn't earlier than the click's day.
 * Clocks may be wrong by 24 hours (readClick rejects more), which the bus's retries make up for. A
 * message whose day can't be read is invalid, so it can't count.
 */
export function describeExcessAge(
  { body, firstSentMs }: Pick<DeadLetter, 'body' | 'firstSentMs'>,
  { queueRetentionMs, deadLetterRetentionMs }: Retention,
  nowMs: number = Date.now(),
): string | undefined {
  const limitMs = queueRetentionMs + deadLetterRetentionMs;
  const limit = formatDuration(limitMs);
  const day = readOldestDay(body, nowMs);
  if (day !== undefined && Date.parse(day) + limitMs < nowMs) {
    return `its click's day, ${day}, began more than ${limit} ago`;
  }
  return firstSentMs + limitMs < nowMs ? `it first arrived more than ${limit} ago` : undefined;
}

function readOldestDay(body: string, nowMs: number): string | undefined {
  const days = listEvents(body).flatMap((event) => {
    try {
      return readClick(event, nowMs).day;
    } catch {
      return [];
    }
  });
  return days.sort()[0];
}

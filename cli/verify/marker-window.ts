import { maxAheadMs } from '../../lib/clicks/click.ts';
import type { Connection } from '../connection.ts';
import { readRetentionMs } from '../retention.ts';

const dayMs = 86_400_000;

/**
 * The first UTC day, yyyy-mm-dd, of whose clicks no marker can have expired yet. A click may be
 * counted the time it may be ahead before its day begins, and its marker then lives for the bus's
 * retries, twice the queue's retention and the dead letters'. The bus's retries are left out: that
 * makes the window a day shorter than it is, which is a margin for a long scan.
 */
export async function findFirstDay(
  { clickQueue, clickDlq }: Connection,
  nowMs: number = Date.now(),
): Promise<string> {
  const queueMs = await readRetentionMs(clickQueue);
  const deadLettersMs = await readRetentionMs(clickDlq);
  const markerLifeMs = queueMs + deadLettersMs + queueMs;
  const oldestDay = Math.ceil((nowMs - markerLifeMs + maxAheadMs) / dayMs);
  return new Date(oldestDay * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

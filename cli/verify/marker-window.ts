import { maxAheadMs } from '../../lib/clicks/click.ts';
import type { Connection } from '../connection.ts';
import { readRetentionMs } from '../queue.ts';

const dayMs = 86_400_000;

/**
 * Finds the first UTC day, yyyy-mm-dd, whose markers can't have expired yet. A click may arrive
 * `maxAheadMs` before its day begins. Leaving out the bus's retries shortens the window by a day,
 * which leaves time for a long scan. Slots have the same window, because a sheet lives at least as
 * long as each of its slots must.
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

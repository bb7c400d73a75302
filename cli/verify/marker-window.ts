import { maxAheadMs } from '../../lib/clicks/click.ts';
import type { Connection } from '../connection.ts';
import { readRetentionMs } from '../retention.ts';

const dayMs = 86_400_000;

/**
 * Finds the first UTC day, yyyy-mm-dd, whose markers cannot have expired yet. A click may arrive
 * `maxAheadMs` before its day begins. Leaving out the bus's retries shortens the window by a day, a
 * margin for a long scan. Slots need no window of their own: a sheet lives as long as any of its
 * slots must.
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

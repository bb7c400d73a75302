import { type Queue, readAttributes } from './queue.ts';

/** Reads for how many milliseconds a queue currently retains a message. */
export async function readRetentionMs(queue: Queue): Promise<number> {
  return Number((await readAttributes(queue)).MessageRetentionPeriod) * 1_000;
}

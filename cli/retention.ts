import { type Queue, readAttributes } from './queue.ts';

export async function readRetentionMs(queue: Queue): Promise<number> {
  return Number((await readAttributes(queue)).MessageRetentionPeriod) * 1_000;
}

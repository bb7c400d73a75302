import type { CommitOptions } from './attempt.ts';
import { CommitQueue } from './commit-queue.ts';
import type { Entry, Outcome } from './entry.ts';

/** Commits entries in a queue of their own. Returns their outcomes in their order. */
export function commitEntries(options: CommitOptions, entries: Entry[]): Promise<Outcome>[] {
  const queue = new CommitQueue(options);
  return entries.map((entry) => queue.commit(entry));
}

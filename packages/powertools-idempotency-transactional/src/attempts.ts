import type { Attempt } from './attempt.ts';
import { maxRequests } from './pack.ts';

/** The transactions of a queue that are in flight, or are sent again. */
export class Attempts {
  readonly #attempts = new Set<Attempt>();

  add(attempt: Attempt): void {
    this.#attempts.add(attempt);
  }

  delete(attempt: Attempt): void {
    this.#attempts.delete(attempt);
  }

  [Symbol.iterator](): Iterator<Attempt> {
    return this.#attempts.values();
  }

  /** Nothing is in flight, and no transaction is about to be repeated after a failure of its request. */
  get areQuiet(): boolean {
    return [...this].every(
      ({ sentMs, contendedItems }) => sentMs === undefined && contendedItems.size > 0,
    );
  }

  get idle(): Attempt[] {
    return [...this].filter(({ sentMs }) => sentMs === undefined);
  }

  /** The number of further requests that can be in flight. */
  get free(): number {
    return maxRequests - (this.#attempts.size - this.idle.length);
  }

  /** Those to be sent again, the one that has waited longest first. */
  findDue(nowMs: number): Attempt[] {
    const due = this.idle.filter(({ notBeforeMs }) => notBeforeMs <= nowMs);
    return due.sort((a, b) => a.notBeforeMs - b.notBeforeMs);
  }
}

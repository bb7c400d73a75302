import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { CommitDeadlineError } from './errors.ts';

/** Why the attempts to commit an entry have failed so far. */
export class Failures {
  /** The number of attempts by their cause, the last cause last. */
  readonly #counts = new Map<string, number>();
  #last: Error | undefined;

  add(error: Error): void {
    const cause = nameCause(error);
    const count = this.#counts.get(cause) ?? 0;
    this.#counts.delete(cause);
    this.#counts.set(cause, count + 1);
    this.#last = error;
  }

  /** The error of an entry whose deadline has passed, such as `12 × ThrottlingException, 1 × ECONNRESET`. */
  toLateError(): CommitDeadlineError {
    const counted = [...this.#counts].reverse().map(([cause, count]) => `${count} × ${cause}`);
    const causes = counted.join(', ') || 'no attempt was made';
    const message = `not committed before the deadline: ${causes}`;
    return new CommitDeadlineError(message, { cause: this.#last });
  }
}

interface FailedAttempt extends Error {
  code?: unknown;
  CancellationReasons?: CancellationReason[];
}

// Network errors have a code, and a cancelled transaction has a reason for each action.
function nameCause(error: FailedAttempt): string {
  if (typeof error.code === 'string') return error.code;
  if (error.name === 'AbortError') return 'no response in time';
  const codes = (error.CancellationReasons ?? []).map(({ Code = 'None' }) => Code);
  const reasons = new Set(codes.filter((code) => code !== 'None'));
  return reasons.size > 0 ? [...reasons].join(' and ') : error.name;
}

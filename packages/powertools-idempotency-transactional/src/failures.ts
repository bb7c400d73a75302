import type { CancellationReason } from '@aws-sdk/client-dynamodb';

interface FailedAttempt extends Error {
  code?: unknown;
  CancellationReasons?: CancellationReason[];
}

/** The causes of failed attempts, with their numbers. */
export class Failures {
  /** The error of the last attempt. */
  last: Error | undefined;
  readonly #times = new Map<string, number>();

  add(error: Error): void {
    const cause = nameCause(error);
    const times = this.#times.get(cause) ?? 0;
    // Moves the cause to the end.
    this.#times.delete(cause);
    this.#times.set(cause, times + 1);
    this.last = error;
  }

  copy(): Failures {
    const copy = new Failures();
    for (const [cause, times] of this.#times) copy.#times.set(cause, times);
    copy.last = this.last;
    return copy;
  }

  /** Such as `12 × ThrottlingException, 1 × ECONNRESET`, the last cause first. */
  describe(): string {
    const causes = [...this.#times].reverse().map(([cause, times]) => `${times} × ${cause}`);
    return causes.length > 0 ? causes.join(', ') : 'no attempt was made';
  }
}

// Network errors have a code, and a cancelled transaction has a reason for each action.
function nameCause(error: FailedAttempt): string {
  if (typeof error.code === 'string') return error.code;
  if (error.name === 'AbortError') return 'no answer in time';
  const codes = (error.CancellationReasons ?? []).map(({ Code = 'None' }) => Code);
  const reasons = new Set(codes.filter((code) => code !== 'None'));
  return reasons.size > 0 ? [...reasons].join(' and ') : error.name;
}

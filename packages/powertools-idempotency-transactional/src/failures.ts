import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { CommitDeadlineError } from './errors.ts';
import { groupBy } from './group-by.ts';

/** Why earlier attempts to commit an entry failed. */
export interface Failures {
  /** In the order of the attempts. */
  causes: string[];
  /** The error of the last attempt. */
  last?: Error;
}

export function addFailure(entries: { failures: Failures }[], error: Error): void {
  const cause = nameCause(error);
  for (const { failures } of entries) {
    failures.causes.push(cause);
    failures.last = error;
  }
}

/** The error of an entry whose deadline has passed. */
export function lateError({ failures }: { failures: Failures }): CommitDeadlineError {
  // Such as `12 × ThrottlingException, 1 × ECONNRESET`, the last cause first.
  const byCause = groupBy(failures.causes.toReversed(), (cause) => cause);
  const counted = [...byCause].map(([cause, { length }]) => `${length} × ${cause}`);
  const causes = counted.join(', ') || 'no attempt was made';
  const cause = failures.last;
  return new CommitDeadlineError(`not committed before the deadline: ${causes}`, { cause });
}

interface FailedAttempt extends Error {
  code?: unknown;
  CancellationReasons?: CancellationReason[];
}

// Network errors have a code, and a cancelled transaction has a reason for each action.
function nameCause(error: FailedAttempt): string {
  if (typeof error.code === 'string') return error.code;
  if (error.name === 'AbortError') return 'no answer in time';
  const codes = (error.CancellationReasons ?? []).map(({ Code = 'None' }) => Code);
  const reasons = new Set(codes.filter((code) => code !== 'None'));
  return reasons.size > 0 ? [...reasons].join(' and ') : error.name;
}

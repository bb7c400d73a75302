import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { groupBy } from './group-by.ts';

/** Why earlier attempts failed. */
export interface Failures {
  /** In the order of the attempts. */
  causes: string[];
  /** The error of the last attempt. */
  last?: Error;
}

export function addFailure({ causes }: Failures, error: Error): Failures {
  return { causes: [...causes, nameCause(error)], last: error };
}

/** Such as `12 × ThrottlingException, 1 × ECONNRESET`, the last cause first. */
export function describeFailures({ causes }: Failures): string {
  if (causes.length === 0) return 'no attempt was made';
  const byCause = groupBy(causes.toReversed(), (cause) => cause);
  return [...byCause].map(([cause, { length }]) => `${length} × ${cause}`).join(', ');
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

import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { isTransientCode, isTransientError } from 'powertools-idempotency-transactional';

const maxAttempts = 8;
const firstDelayMs = 25;
const longestDelayMs = 400;

// Next to one of the other codes, a failed condition isn't conclusive.
const undecidedCodes = new Set(['None', 'ConditionalCheckFailed']);

/**
 * Timeout for a write with all its attempts: a second less than that of the functions behind the
 * API (apiTimeoutSeconds).
 */
export const writeTimeoutMs = 4_000;

/** DynamoDB's response doesn't prove that the write happened. */
export class WriteUnprovenError extends Error {
  override readonly name = 'WriteUnprovenError';
}

/** Tries a write up to eight times while DynamoDB is busy or its response is lost. */
export async function retryWhileBusy<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (attempt === maxAttempts || !isTransient(error)) throw error;
    }
    await backOff(attempt);
  }
}

/** Waits with full jitter: up to 25 ms after the first attempt, doubling each time to 400 ms. */
export function backOff(attempt: number): Promise<void> {
  const mostMs = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
  return new Promise((resolve) => setTimeout(resolve, mostMs * Math.random()));
}

function isTransient(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) {
    return (error.CancellationReasons ?? []).every(
      ({ Code = 'None' }) => undecidedCodes.has(Code) || isTransientCode(Code),
    );
  }
  if (!(error instanceof Error)) return false;
  if (error instanceof WriteUnprovenError) return true;
  // An aborted write is out of time.
  return error.name !== 'AbortError' && isTransientError(error);
}

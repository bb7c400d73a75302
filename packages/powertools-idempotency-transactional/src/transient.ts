import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { readField } from './read-field.ts';

/** The codes for throttling of an item, its partition or the table, in a cancelled transaction. */
export const throttlingCodes = new Set([
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

// What the AWS SDK sends again. Its own list is in a package that has moved between its versions, and
// that a bundler may leave to Lambda's runtime.
const throttlingErrors = [
  'BandwidthLimitExceeded',
  'EC2ThrottledException',
  'LimitExceededException',
  'PriorRequestNotComplete',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionInProgressException',
];
const timeoutErrors = ['TimeoutError', 'RequestTimeout', 'RequestTimeoutException'];
const connectionCodes = new Set<unknown>([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** What the SDK doesn't retry: conflicts, requests that the layer ended, and responses without proof. */
const ownErrors = ['AbortError', 'CommitUnprovenError', 'TransactionConflictException'];

const transientErrors = new Set<unknown>([...throttlingErrors, ...timeoutErrors, ...ownErrors]);

/** How many causes of an error are read, as by the SDK: they can form a cycle. */
const maxCauses = 10;

/**
 * Whether another attempt at the same request may succeed: after everything that the AWS SDK retries,
 * contention, an aborted request, or a response that can't be read, whatever its status. A cancelled
 * transaction may succeed after contention, unless it was also rejected for another reason.
 *
 * @example
 * ```ts
 * import { isTransientError } from 'powertools-idempotency-transactional';
 *
 * const shouldRetry = (error: unknown, attempt: number) => attempt < 5 && isTransientError(error);
 * ```
 */
export function isTransientError(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth <= maxCauses; depth += 1) {
    if (cause instanceof TransactionCanceledException) return isTransientCancellation(cause);
    if (isTransientItself(cause)) return true;
    cause = readField(cause, 'cause');
    if (!(cause instanceof Error)) return false;
  }
  return false;
}

// An error of a request that was sent has `$metadata`, and DynamoDB's own have `$fault`, too.
function isTransientItself(error: unknown): boolean {
  const name = readField(error, 'name');
  if (transientErrors.has(name) || connectionCodes.has(readField(error, 'code'))) return true;
  // The SDK corrects its clock for the next request.
  const message = name === 'InvalidSignatureException' && readField(error, 'message');
  if (message && String(message).includes('Signature expired')) return true;
  const metadata = readField(error, '$metadata');
  if (readField(error, '$retryable') || readField(metadata, 'clockSkewCorrected')) return true;
  const statusCode = Number(readField(metadata, 'httpStatusCode'));
  if (statusCode === 429 || statusCode >= 500) return true;
  // The SDK's name for an error whose own name it didn't find in the response is Unknown.
  const isUnknown = readField(error, '$fault') === undefined || name === 'Unknown';
  return metadata !== undefined && isUnknown;
}

// Beside contention, a failed condition isn't conclusive.
function isTransientCancellation({ CancellationReasons = [] }: TransactionCanceledException) {
  const codes = CancellationReasons.map(({ Code = 'None' }) => Code).filter(
    (code) => code !== 'None' && code !== 'ConditionalCheckFailed',
  );
  const areConclusive = CancellationReasons.length > 0 && codes.length === 0;
  return !areConclusive && codes.every(isTransientCode);
}

/** Whether another attempt may succeed after this code of a `CancellationReason`. */
export function isTransientCode(code: string): boolean {
  return code === 'TransactionConflict' || throttlingCodes.has(code);
}

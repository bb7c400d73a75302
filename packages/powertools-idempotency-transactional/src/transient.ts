import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

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
const connectionCodes = new Set([
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

const transientErrors = new Set([...throttlingErrors, ...timeoutErrors, ...ownErrors]);

/** Any error: one of a request that was sent has `$metadata`, and DynamoDB's own have `$fault`, too. */
interface SdkError {
  name: string;
  message?: string;
  code?: string;
  cause?: unknown;
  $fault?: unknown;
  $retryable?: object;
  $metadata?: { httpStatusCode?: number; clockSkewCorrected?: boolean };
}

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
  if (error instanceof TransactionCanceledException) return isTransientCancellation(error);
  const {
    name,
    message = '',
    code = '',
    cause,
    $fault,
    $retryable,
    $metadata,
  }: SdkError = Object(error);
  if (transientErrors.has(name) || connectionCodes.has(code)) return true;
  // The SDK corrects its clock for the next request.
  if (name === 'InvalidSignatureException' && message.includes('Signature expired')) return true;
  const { httpStatusCode = 0, clockSkewCorrected } = $metadata ?? {};
  if ($retryable || clockSkewCorrected) return true;
  if (httpStatusCode === 429 || httpStatusCode >= 500) return true;
  if (cause instanceof Error && cause !== error && isTransientError(cause)) return true;
  // The SDK's name for an error whose own name it didn't find in the response is Unknown.
  return $metadata !== undefined && ($fault === undefined || name === 'Unknown');
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

import {
  isServerError,
  isThrottlingError,
  isTransientError as isTransientForSdk,
} from '@smithy/core/retry';

/** What the SDK doesn't retry: conflicts, requests that the layer ended, and answers without proof. */
const transientErrors = new Set([
  'AbortError',
  'CommitUnprovenError',
  'TransactionConflictException',
]);

/** The codes for throttling of an item, its partition or the table. */
export const throttlingCodes = new Set([
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

/**
 * Every error of a request that was sent has `$metadata`. One that DynamoDB itself
 * returned has `$fault`, too.
 */
type SdkError = Parameters<typeof isServerError>[0];

/**
 * Whether another attempt at the same request may succeed: after everything that the AWS SDK retries,
 * contention, an aborted request, or a response that can't be read, whatever its status. For a
 * cancelled transaction, see {@link isTransientCode}.
 */
export function isTransientError(error: unknown): boolean {
  const sdkError: SdkError = Object(error);
  const { name, $fault, $metadata } = sdkError;
  if (transientErrors.has(name)) return true;
  const isForSdk = [isThrottlingError, isTransientForSdk, isServerError];
  if (isForSdk.some((judge) => judge(sdkError))) return true;
  // The SDK's name for an error whose own name it didn't find in the response is Unknown.
  return $metadata !== undefined && ($fault === undefined || name === 'Unknown');
}

/** Whether another attempt may succeed after this code of a `CancellationReason`. */
export function isTransientCode(code: string): boolean {
  return code === 'TransactionConflict' || throttlingCodes.has(code);
}

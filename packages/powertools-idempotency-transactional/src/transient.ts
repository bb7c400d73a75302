const transientErrors = new Set([
  'AbortError',
  'CommitUnprovenError',
  'TimeoutError',
  'TransactionConflictException',
  'TransactionInProgressException',
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
]);

/** The codes for throttling of an item, its partition or the table. */
export const throttlingCodes = new Set([
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

interface ServiceError extends Error {
  /** The SDK sets it on errors that DynamoDB itself returned. */
  $fault?: 'client' | 'server';
  /** The SDK sets it on all errors of a request that it has sent. */
  $metadata?: { httpStatusCode?: number };
}

/**
 * Whether another attempt at the same request may succeed: after throttling, contention, a server
 * error, an aborted request, or a response that can't be read, whatever its status. For a cancelled
 * transaction, see {@link isTransientCode}.
 */
export function isTransientError(error: unknown): boolean {
  const { name, $fault, $metadata }: ServiceError = Object(error);
  if (transientErrors.has(name)) return true;
  if (!$metadata) return false;
  const { httpStatusCode = 0 } = $metadata;
  if (httpStatusCode >= 500 || httpStatusCode === 429) return true;
  // The SDK's name for an error whose own name it didn't find in the response is Unknown.
  return $fault === undefined || name === 'Unknown';
}

/** Whether another attempt may succeed after this code of a `CancellationReason`. */
export function isTransientCode(code: string): boolean {
  return code === 'TransactionConflict' || throttlingCodes.has(code);
}

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

/** What the SDK calls an error whose name it did not find in the answer. */
const unreadableError = 'Unknown';

const throttlingCodes = new Set([
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
 * Whether a later attempt at the same request may succeed: throttling, contention, a failing server,
 * or no readable answer from DynamoDB, whatever its status. An aborted request is one without an
 * answer. For a cancelled transaction, see {@link isTransientCode}.
 */
export function isTransientError({ name, $fault, $metadata }: ServiceError): boolean {
  if (transientErrors.has(name)) return true;
  if (!$metadata) return false;
  const { httpStatusCode = 0 } = $metadata;
  if (httpStatusCode >= 500 || httpStatusCode === 429) return true;
  return $fault === undefined || name === unreadableError;
}

/** Whether this code of a `CancellationReason` is not about the action: a later attempt may succeed. */
export function isTransientCode(code: string): boolean {
  return code === 'TransactionConflict' || isThrottlingCode(code);
}

/** Whether an item, its partition or the table has had too many requests. */
export function isThrottlingCode(code: string): boolean {
  return throttlingCodes.has(code);
}

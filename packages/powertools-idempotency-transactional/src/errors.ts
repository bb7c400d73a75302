import { IdempotencyUnknownError } from '@aws-lambda-powertools/idempotency';
import type { NativeItem } from './effects.ts';

/**
 * An item that an increment requires doesn't exist. Nothing was written.
 *
 * @example
 * ```ts
 * import { ItemMissingError } from 'powertools-idempotency-transactional';
 *
 * const isUnknown = (error: Error) => error.cause instanceof ItemMissingError;
 * ```
 */
export class ItemMissingError extends IdempotencyUnknownError {
  override name = 'ItemMissingError';
  /** The increment's key. */
  readonly key: NativeItem;

  constructor(message: string, options: ErrorOptions & { key: NativeItem }) {
    super(message, options);
    this.key = options.key;
  }
}

/**
 * The condition of a write failed, or an increment is out of its bounds. Nothing was written.
 *
 * @example
 * ```ts
 * import { ConditionFailedError } from 'powertools-idempotency-transactional';
 *
 * const findExisting = (error: Error) =>
 *   error.cause instanceof ConditionFailedError ? error.cause.item : undefined;
 * ```
 */
export class ConditionFailedError extends IdempotencyUnknownError {
  override name = 'ConditionFailedError';
  /** Its table. */
  readonly tableName: string;
  /** Its key. */
  readonly key: NativeItem;
  /** The item that was there. Undefined if there was none, or if DynamoDB didn't return it. */
  readonly item: NativeItem | undefined;

  constructor(
    message: string,
    options: ErrorOptions & {
      tableName: string;
      key: NativeItem;
      item?: NativeItem | undefined;
    },
  ) {
    super(message, options);
    this.tableName = options.tableName;
    this.key = options.key;
    this.item = options.item;
  }
}

/**
 * The effects have an unknown property or a wrong value, or don't fit into a transaction. The message says which.
 *
 * @example
 * ```ts
 * import { InvalidEffectsError } from 'powertools-idempotency-transactional';
 *
 * const isMistake = (error: Error) => error.cause instanceof InvalidEffectsError;
 * ```
 */
export class InvalidEffectsError extends IdempotencyUnknownError {
  override name = 'InvalidEffectsError';
}

/**
 * DynamoDB rejects the effects of this payload for good. The message or `cause` says why.
 *
 * @example
 * ```ts
 * import { CommitRejectedError } from 'powertools-idempotency-transactional';
 *
 * const isRejected = (error: Error) => error.cause instanceof CommitRejectedError;
 * ```
 */
export class CommitRejectedError extends IdempotencyUnknownError {
  override name = 'CommitRejectedError';
}

/**
 * The deadline passed before a commit was confirmed. A later delivery may succeed.
 *
 * @example
 * ```ts
 * import { CommitDeadlineError } from 'powertools-idempotency-transactional';
 *
 * const isLate = (error: Error) => error.cause instanceof CommitDeadlineError;
 * ```
 */
export class CommitDeadlineError extends IdempotencyUnknownError {
  override name = 'CommitDeadlineError';
}

/**
 * The wrapped function ran, but the layer hadn't committed its payload.
 *
 * @example
 * ```ts
 * import { ReceiptMissingError } from 'powertools-idempotency-transactional';
 *
 * const isBypassed = (error: unknown) => error instanceof ReceiptMissingError;
 * ```
 */
export class ReceiptMissingError extends IdempotencyUnknownError {
  override name = 'ReceiptMissingError';
}

/**
 * With these settings, effects could be lost or repeated. The message says what to set.
 *
 * @example
 * ```ts
 * import { UnsafeConfigurationError } from 'powertools-idempotency-transactional';
 *
 * const isMisconfigured = (error: unknown) => error instanceof UnsafeConfigurationError;
 * ```
 */
export class UnsafeConfigurationError extends IdempotencyUnknownError {
  override name = 'UnsafeConfigurationError';
}

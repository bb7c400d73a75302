import type { NativeItem } from './effects.ts';

/** An item that an increment requires doesn't exist. Nothing was written. */
export class ItemMissingError extends Error {
  override name = 'ItemMissingError';
  /** The increment's key. */
  readonly key: Record<string, string>;

  constructor(key: Record<string, string>) {
    super(`expected the item ${JSON.stringify(key)} to exist; it doesn't`);
    this.key = key;
  }
}

/** The condition of a write failed, or an increment's bounds or set. Nothing was written. */
export class ConditionFailedError extends Error {
  override name = 'ConditionFailedError';
  /** Its table. */
  readonly tableName: string;
  /** Its key. */
  readonly key: NativeItem;
  /** The item that was there. Undefined if there was none, or if DynamoDB didn't return it. */
  readonly item: NativeItem | undefined;
  /** The attributes that the sets of `memberOf` have no room for. */
  readonly attributes: readonly string[];

  constructor(
    tableName: string,
    key: NativeItem,
    item?: NativeItem,
    attributes: readonly string[] = [],
  ) {
    super(`the condition of a write to ${tableName} failed at ${JSON.stringify(key)}`);
    this.tableName = tableName;
    this.key = key;
    this.item = item;
    this.attributes = attributes;
  }
}

/** The effects don't fit into a transaction or an item. The message says why. */
export class InvalidEffectsError extends Error {
  override name = 'InvalidEffectsError';
}

/** DynamoDB refuses the effects of this payload for good. The message or `cause` says why. */
export class CommitRejectedError extends Error {
  override name = 'CommitRejectedError';
}

/** The deadline passed before a commit was confirmed. A later delivery may succeed. */
export class CommitDeadlineError extends Error {
  override name = 'CommitDeadlineError';
}

/** The wrapped function ran, but the layer hadn't committed its payload. */
export class ReceiptMissingError extends Error {
  override name = 'ReceiptMissingError';
}

/** With these settings, effects could be lost or repeated. The message says what to set. */
export class UnsafeConfigurationError extends Error {
  override name = 'UnsafeConfigurationError';
}

/** An item that an increment requires does not exist; the record wrote nothing. */
export class ItemMissingError extends Error {
  override name = 'ItemMissingError';
  readonly key: Record<string, string>;

  constructor(key: Record<string, string>) {
    super(`expected the item ${JSON.stringify(key)} to exist; it does not`);
    this.key = key;
  }
}

/** A condition of one of the record's own writes failed; the record wrote nothing. */
export class ConditionFailedError extends Error {
  override name = 'ConditionFailedError';
  readonly tableName: string;
  readonly key: Record<string, unknown>;
  /** The item that was there, if there was one and DynamoDB returned it. */
  readonly item: Record<string, unknown> | undefined;

  constructor(tableName: string, key: Record<string, unknown>, item?: Record<string, unknown>) {
    super(`the condition of a write to ${tableName} failed at ${JSON.stringify(key)}`);
    this.tableName = tableName;
    this.key = key;
    this.item = item;
  }
}

/** No transaction can hold what the record must cause; the message says why. */
export class InvalidEffectsError extends Error {
  override name = 'InvalidEffectsError';
}

/** DynamoDB refuses this record, whatever its neighbours; `cause` or the message says why. */
export class CommitRejectedError extends Error {
  override name = 'CommitRejectedError';
}

/** The deadline passed before the commit. A later delivery may succeed. */
export class CommitDeadlineError extends Error {
  override name = 'CommitDeadlineError';
}

/** The wrapped function ran although the layer had committed nothing for its payload. */
export class ReceiptMissingError extends Error {
  override name = 'ReceiptMissingError';
}

/** Powertools is configured so that it could bypass the layer, and with it the work. */
export class UnsafeConfigurationError extends Error {
  override name = 'UnsafeConfigurationError';
}

/** An answer said that a transaction succeeded, but not as DynamoDB says it. */
export class CommitUnprovenError extends Error {
  override name = 'CommitUnprovenError';
}

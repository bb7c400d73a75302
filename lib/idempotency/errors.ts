/** An item that an increment requires does not exist; the record wrote nothing. */
export class ItemMissingError extends Error {
  override name = 'ItemMissingError';
  readonly key: Record<string, string>;

  constructor(key: Record<string, string>) {
    super(`expected the item ${JSON.stringify(key)} to exist; it does not`);
    this.key = key;
  }
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

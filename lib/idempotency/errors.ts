/** An item that an increment requires does not exist; nothing was written for the record. */
export class ItemMissingError extends Error {
  override name = 'ItemMissingError';
  readonly key: Record<string, string>;

  constructor(key: Record<string, string>) {
    super(`expected the item ${JSON.stringify(key)} to exist; it does not`);
    this.key = key;
  }
}

/** DynamoDB refuses this record whatever its neighbours; `cause` or the message says why. */
export class CommitRejectedError extends Error {
  override name = 'CommitRejectedError';
}

/** The invocation's deadline came before the commit; the record may be delivered again. */
export class CommitDeadlineError extends Error {
  override name = 'CommitDeadlineError';
}

/** The wrapped function ran although nothing was committed for its payload. */
export class ReceiptMissingError extends Error {
  override name = 'ReceiptMissingError';
}

/** Powertools is set up so that it could pass by the layer, and with it the work. */
export class UnsafeConfigurationError extends Error {
  override name = 'UnsafeConfigurationError';
}

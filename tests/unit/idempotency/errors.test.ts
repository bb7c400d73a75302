import { expect, test } from 'vitest';
import {
  CommitDeadlineError,
  CommitRejectedError,
  ItemMissingError,
  ReceiptMissingError,
  UnsafeConfigurationError,
} from '../../../lib/idempotency/errors.ts';

test.each([
  [new CommitDeadlineError('late'), 'CommitDeadlineError: late'],
  [new CommitRejectedError('refused'), 'CommitRejectedError: refused'],
  [new ReceiptMissingError('bypassed'), 'ReceiptMissingError: bypassed'],
  [new UnsafeConfigurationError('unsafe'), 'UnsafeConfigurationError: unsafe'],
  [
    new ItemMissingError({ PK: 'a' }),
    'ItemMissingError: expected the item {"PK":"a"} to exist; it does not',
  ],
])('an error tells its name and its reason: %s', (error, text) => {
  expect(String(error)).toBe(text);
});

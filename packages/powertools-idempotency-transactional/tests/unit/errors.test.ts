import { expect, test } from 'vitest';
import {
  CommitDeadlineError,
  CommitRejectedError,
  CommitUnprovenError,
  ConditionFailedError,
  InvalidEffectsError,
  ItemMissingError,
  ReceiptMissingError,
  UnsafeConfigurationError,
} from '../../src/errors.ts';

test.each([
  [() => new CommitDeadlineError('late'), 'CommitDeadlineError: late'],
  [() => new CommitRejectedError('refused'), 'CommitRejectedError: refused'],
  [() => new CommitUnprovenError('empty'), 'CommitUnprovenError: empty'],
  [() => new InvalidEffectsError('too many'), 'InvalidEffectsError: too many'],
  [() => new ReceiptMissingError('bypassed'), 'ReceiptMissingError: bypassed'],
  [() => new UnsafeConfigurationError('unsafe'), 'UnsafeConfigurationError: unsafe'],
  [
    () => new ItemMissingError({ PK: 'a' }),
    'ItemMissingError: expected the item {"PK":"a"} to exist; it does not',
  ],
  [
    () => new ConditionFailedError('orders', { PK: 'a' }),
    'ConditionFailedError: the condition of a write to orders failed at {"PK":"a"}',
  ],
])('an error tells its name and its reason: %#', (make, text) => {
  expect(String(make())).toBe(text);
});

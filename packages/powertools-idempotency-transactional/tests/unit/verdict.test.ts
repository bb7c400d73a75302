import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { isConflict } from '../../src/verdict.ts';

const cancelled = (...CancellationReasons: CancellationReason[]) =>
  new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons });
const named = (name: string) => Object.assign(new Error('no'), { name });

// Conflicts are soon over, so the layer waits less after them.
test.each<[string, boolean, () => unknown]>([
  ['another transaction', true, () => cancelled({ Code: 'TransactionConflict' }, { Code: 'None' })],
  ['no reason', true, () => cancelled()],
  [
    'throttling too',
    false,
    () => cancelled({ Code: 'TransactionConflict' }, { Code: 'ThrottlingError' }),
  ],
  ['a throttled request', false, () => named('ThrottlingException')],
  ['no answer', false, () => named('AbortError')],
  ['no attempt', false, () => undefined],
])('a transaction that failed for %s met a conflict: %s', (_, isOne, make) => {
  expect(isConflict(make())).toBe(isOne);
});

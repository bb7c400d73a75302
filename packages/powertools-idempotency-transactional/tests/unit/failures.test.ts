import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { addFailure, lateError } from '../../src/failures.ts';

const named = (name: string) => Object.assign(new Error('no'), { name });
const cancelled = (CancellationReasons?: CancellationReason[]) =>
  new TransactionCanceledException({
    message: '',
    $metadata: {},
    ...(CancellationReasons && { CancellationReasons }),
  });
const describe = (...errors: Error[]) => {
  const entry = { failures: { causes: [] } };
  for (const error of errors) addFailure([entry], error);
  const { message, cause } = lateError(entry);
  expect(cause).toBe(errors.at(-1));
  return message.replace('not committed before the deadline: ', '');
};

test.each([
  ['the code of a network error', Object.assign(named('Error'), { code: 'EPIPE' }), 'EPIPE'],
  ['the end of a request without an answer', named('AbortError'), 'no answer in time'],
  [
    'the reasons of a cancellation, each once',
    cancelled([{ Code: 'None' }, { Code: 'A' }, {}, { Code: 'B' }, { Code: 'A' }]),
    'A and B',
  ],
  ['a cancellation without reasons', cancelled(), 'TransactionCanceledException'],
])('a cause is %s', (_, error, cause) => {
  expect(describe(error)).toBe(`1 × ${cause}`);
});

test('causes are counted, and the last one comes first', () => {
  expect(describe(...['A', 'B', 'A', 'B'].map(named))).toBe('2 × B, 2 × A');
});

test('an entry without a failure has not been tried', () => {
  expect(describe()).toBe('no attempt was made');
});

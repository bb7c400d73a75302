import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { Failures } from '../../src/failures.ts';

const named = (name: string) => Object.assign(new Error('no'), { name });
const cancelled = (CancellationReasons?: CancellationReason[]) =>
  new TransactionCanceledException({
    message: '',
    $metadata: {},
    ...(CancellationReasons && { CancellationReasons }),
  });
const describeAll = (...errors: Error[]) => {
  const failures = new Failures();
  for (const error of errors) failures.add(error);
  return failures.describe();
};

test('causes are counted, and the last one comes first', () => {
  const [a, b] = [named('A'), named('B')];

  expect(describeAll(a, b, b)).toBe('2 × B, 1 × A');
  expect(describeAll(a, b, a)).toBe('2 × A, 1 × B');
});

test.each([
  ['the name of an error', named('ThrottlingException'), 'ThrottlingException'],
  ['the code of a network error', Object.assign(named('Error'), { code: 'EPIPE' }), 'EPIPE'],
  ['the end of a request without an answer', named('AbortError'), 'no answer in time'],
  [
    'the reasons of a cancellation, each once',
    cancelled([{ Code: 'None' }, { Code: 'A' }, {}, { Code: 'B' }, { Code: 'A' }]),
    'A and B',
  ],
  ['a cancellation without reasons', cancelled(), 'TransactionCanceledException'],
  ['a cancellation without a reason', cancelled([{}]), 'TransactionCanceledException'],
])('a cause is %s', (_, error, cause) => {
  expect(describeAll(error)).toBe(`1 × ${cause}`);
});

test('a copy goes on by itself', () => {
  const failures = new Failures();
  failures.add(named('A'));

  const copy = failures.copy();
  copy.add(named('B'));

  expect(copy.describe()).toBe('1 × B, 1 × A');
  expect(failures.describe()).toBe('1 × A');
  expect(failures.copy().last).toBe(failures.last);
});

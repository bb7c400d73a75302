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
  const failures = new Failures();
  failures.add(error);

  expect(failures.describe()).toBe(`1 × ${cause}`);
});

test('causes are counted, the last one comes first, and a copy goes on by itself', () => {
  const failures = new Failures();
  for (const name of ['A', 'B', 'A']) failures.add(named(name));

  const copy = failures.copy();
  copy.add(named('B'));

  expect(copy.describe()).toBe('2 × B, 2 × A');
  expect(failures.describe()).toBe('2 × A, 1 × B');
  expect(failures.copy().last).toBe(failures.last);
});

import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { addFailure, describeFailures, type Failures } from '../../src/failures.ts';

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
  expect(describeFailures(addFailure({ causes: [] }, error))).toBe(`1 × ${cause}`);
});

test('causes are counted, the last one comes first, and another one leaves earlier ones alone', () => {
  const errors = ['A', 'B', 'A'].map(named);
  const failures = errors.reduce<Failures>(addFailure, { causes: [] });

  const more = addFailure(failures, named('B'));

  expect(describeFailures(more)).toBe('2 × B, 2 × A');
  expect(describeFailures(failures)).toBe('2 × A, 1 × B');
  expect(failures.last).toBe(errors.at(-1));
});

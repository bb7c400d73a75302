import { expect, test } from 'vitest';
import { isTransientCode, isTransientError } from '../../src/index.ts';

const sent = (name: string, more: object) => Object.assign(new Error('no'), { name, ...more });

test.each<[string, boolean, Error]>([
  ['a throttled request', true, sent('ThrottlingException', { $fault: 'client' })],
  ['an aborted request', true, sent('AbortError', {})],
  ['a failing server', true, sent('InternalServerError', { $metadata: { httpStatusCode: 500 } })],
  ['a request without an answer', true, sent('Error', { $metadata: { attempts: 3 } })],
  ['a mistake before the request', false, new TypeError('no table')],
  [
    'a refusal',
    false,
    sent('AccessDeniedException', { $fault: 'client', $metadata: { httpStatusCode: 400 } }),
  ],
])('another attempt may succeed after %s: %s', (_, isTransient, error) => {
  expect(isTransientError(error)).toBe(isTransient);
});

test.each([
  ['TransactionConflict', true],
  ['ThrottlingError', true],
  ['ConditionalCheckFailed', false],
  ['ValidationError', false],
  ['None', false],
])('another attempt may succeed after the code %s: %s', (code, isTransient) => {
  expect(isTransientCode(code)).toBe(isTransient);
});

import { QueueDoesNotExist } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { explainError } from '../../../terminal/explain-error.ts';

const metadata = (httpStatusCode?: number) => ({ $metadata: { httpStatusCode } });

const errors: [string, Error, string][] = [
  [
    'a queue that is gone',
    new QueueDoesNotExist({ message: 'The specified queue does not exist.', $metadata: {} }),
    'The stack has lost a queue or its table (The specified queue does not exist). Deploy or start it again.',
  ],
  [
    'a name that has no address',
    Object.assign(new Error('getaddrinfo ENOTFOUND sqs.nowhere'), {
      code: 'ENOTFOUND',
      hostname: 'sqs.nowhere',
    }),
    'Nothing answers at sqs.nowhere. Is it running, and is its address right?',
  ],
  [
    'a refusal of AWS over several lines',
    Object.assign(new Error('not\n  allowed.'), { name: 'AccessDenied', ...metadata(403) }),
    'AWS answered: AccessDenied: not allowed',
  ],
  [
    'a broken connection',
    Object.assign(new Error('socket hang up'), metadata()),
    'There was no answer: Error: socket hang up',
  ],
];

test.each(errors)('tells %s in one line', (_, error, line) => {
  expect(explainError(error)).toBe(line);
});

test('keeps the stack trace of what is our own mistake', () => {
  expect(explainError(new TypeError('x is not a function'))).toMatch(/^TypeError: .*\n +at /);
});

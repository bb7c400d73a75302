import { QueueDoesNotExist } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { CommandError } from '../../../../cli/terminal/command-error.ts';
import { explainError } from '../../../../cli/terminal/explain-error.ts';

const metadata = (httpStatusCode?: number) => ({ $metadata: { httpStatusCode } });

const errors: [string, Error, string][] = [
  [
    'a missing queue',
    new QueueDoesNotExist({ message: 'The specified queue does not exist.', $metadata: {} }),
    'A resource of the stack is missing (The specified queue does not exist). Deploy or start the stack again.',
  ],
  [
    'an unknown host',
    Object.assign(new Error('getaddrinfo ENOTFOUND sqs.nowhere'), {
      code: 'ENOTFOUND',
      hostname: 'sqs.nowhere',
    }),
    'No response from sqs.nowhere. Check that it is running and that the address is correct.',
  ],
  [
    "AWS's refusal over several lines",
    Object.assign(new Error('not\n  allowed.'), { name: 'AccessDenied', ...metadata(403) }),
    'AWS answered: AccessDenied: not allowed',
  ],
  [
    'a broken connection',
    Object.assign(new Error('socket hang up'), metadata()),
    'AWS did not respond: Error: socket hang up',
  ],
  [
    'an error whose cleanup failed too',
    new SuppressedError(new Error('no answer'), new CommandError('Port 3000 is taken.')),
    'Port 3000 is taken.',
  ],
];

test.each(errors)('%s is explained in one line', (_, error, line) => {
  expect(explainError(error)).toBe(line);
});

test('a bug keeps its stack trace', () => {
  expect(explainError(new TypeError('x is not a function'))).toMatch(/^TypeError: .*\n +at /);
});

import { QueueDoesNotExist } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { CommandError } from '../../../../cli/terminal/command-error.ts';
import { explainError } from '../../../../cli/terminal/explain-error.ts';
const failure = (message, more) => Object.assign(new Error(message), more);
const missing = 'The specified queue does not exist';
const metadata = (httpStatusCode) => ({ $metadata: { httpStatusCode } });
const taken = new CommandError('Port 3000 is taken.');
test.each([
    [
        new QueueDoesNotExist({ message: missing, $metadata: {} }),
        `A resource of the stack is missing (${missing}). Deploy or start the stack again.`,
    ],
    [
        failure('getaddrinfo', { code: 'ENOTFOUND', hostname: 'sqs.nowhere' }),
        'No response from sqs.nowhere. Check that it is running and that the address is correct.',
    ],
    [
        failure('not\n  allowed.', { name: 'AccessDenied', ...metadata(403) }),
        'AWS answered: AccessDenied: not allowed',
    ],
    [failure('socket hang up', metadata()), 'AWS did not respond: Error: socket hang up'],
    // Its cleanup failed too.
    [new SuppressedError(new Error('no answer'), taken), 'Port 3000 is taken.'],
])('%s is explained in one line', (error, line) => {
    expect(explainError(error)).toBe(line);
});
test('a bug keeps its stack trace', () => {
    expect(explainError(new TypeError('x is not a function'))).toMatch(/^TypeError: .*\n +at /);
});

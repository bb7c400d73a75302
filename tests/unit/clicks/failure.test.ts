import {
  IdempotencyPersistenceLayerError,
  IdempotencyValidationError,
} from '@aws-lambda-powertools/idempotency';
import { CommitDeadlineError, ItemMissingError } from 'powertools-idempotency-transactional';
import { expect, test } from 'vitest';
import { InvalidClickError } from '../../../lib/clicks/click.ts';
import { describeFailure } from '../../../lib/clicks/failure.ts';

const byPowertools = (cause: Error) => new IdempotencyPersistenceLayerError('failed', { cause });

const missing = 'expected the item {"PK":"a"} to exist; it doesn\'t';
const changed = 'this click id was already counted with a different code or day';

test.each([
  [
    new InvalidClickError('got "anna"', 'got a string'),
    { reason: 'invalid-click', message: 'got "anna"', loggable: 'got a string' },
  ],
  [
    byPowertools(new ItemMissingError({ PK: 'a' })),
    { reason: 'unknown-link', message: missing, loggable: missing },
  ],
  [
    byPowertools(new CommitDeadlineError('no time')),
    { reason: 'out-of-time', message: 'no time', loggable: 'no time' },
  ],
  [
    new IdempotencyValidationError('Payload does not match'),
    { reason: 'changed-click', message: changed, loggable: changed },
  ],
  [new Error('refused'), { reason: 'not-committed', message: 'refused', loggable: 'refused' }],
  [
    new SyntaxError('Unexpected token in "anna"'),
    {
      reason: 'not-committed',
      message: 'Unexpected token in "anna"',
      loggable: 'SyntaxError',
    },
  ],
  ['a string', { reason: 'not-committed', message: 'a string', loggable: 'a string' }],
])(
  'a failure has a reason, and a message for operators and one for the log: %s',
  (error, failure) => {
    expect(describeFailure(error)).toEqual(failure);
  },
);

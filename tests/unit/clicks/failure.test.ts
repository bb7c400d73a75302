import {
  IdempotencyPersistenceLayerError,
  IdempotencyValidationError,
} from '@aws-lambda-powertools/idempotency';
import { expect, test } from 'vitest';
import { InvalidClickError } from '../../../lib/clicks/click.ts';
import { describeFailure } from '../../../lib/clicks/failure.ts';
import { CommitDeadlineError, ItemMissingError } from '../../../lib/idempotency/index.ts';

const byPowertools = (cause: Error) => new IdempotencyPersistenceLayerError('failed', { cause });

test.each([
  [new InvalidClickError('no code'), { reason: 'invalid-click', message: 'no code' }],
  [
    byPowertools(new ItemMissingError({ PK: 'a' })),
    { reason: 'unknown-link', message: 'expected the item {"PK":"a"} to exist; it does not' },
  ],
  [byPowertools(new CommitDeadlineError('no time')), { reason: 'out-of-time', message: 'no time' }],
  [
    new IdempotencyValidationError('Payload does not match'),
    {
      reason: 'changed-click',
      message: 'this click id was already counted with a different code or day',
    },
  ],
  [new Error('refused'), { reason: 'not-committed', message: 'refused' }],
  ['a string', { reason: 'not-committed', message: 'a string' }],
])('a failure has a reason and a message: %s', (error, failure) => {
  expect(describeFailure(error)).toEqual(failure);
});

import {
  IdempotencyPersistenceLayerError,
  IdempotencyValidationError,
} from '@aws-lambda-powertools/idempotency';
import {
  CommitDeadlineError,
  ConditionFailedError,
  ItemMissingError,
} from 'powertools-idempotency-transactional';
import { expect, test } from 'vitest';
import { InvalidClickError } from '../../../lib/clicks/click.ts';
import { describeFailure } from '../../../lib/clicks/failure.ts';

const byPowertools = (cause: Error) => new IdempotencyPersistenceLayerError('failed', { cause });

const missing = 'expected the item {"PK":"a"} to exist; it doesn\'t';
const changed = 'this click id was already counted with a different code or day';

test.each([
  [
    new InvalidClickError('got "anna"', 'got a string'),
    'invalid-click',
    'got "anna"',
    'got a string',
  ],
  [byPowertools(new ItemMissingError({ PK: 'a' })), 'unknown-link', missing],
  [
    byPowertools(new ConditionFailedError('t', {}, { deletedAt: 'yesterday' })),
    ...['deleted-link', 'the link was deleted at yesterday, before the click; restore it first'],
  ],
  [byPowertools(new CommitDeadlineError('no time')), 'out-of-time', 'no time'],
  [new IdempotencyValidationError('Payload does not match'), 'changed-click', changed],
  [new Error('refused'), 'not-committed', 'refused'],
  [new SyntaxError('Unexpected "anna"'), 'not-committed', 'Unexpected "anna"', 'SyntaxError'],
  ['a string', 'not-committed', 'a string'],
])('%s has a reason, and a message for operators and one for the log', (error, ...expected) => {
  const [reason, message, loggable = message] = expected;

  expect(describeFailure(error)).toEqual({ reason, message, loggable });
});

import type { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { commitEffects, type Effects } from 'powertools-idempotency-transactional';
import { expect, test, vi } from 'vitest';
import {
  type Answer,
  accepted,
  cancelled,
  conditionFailed,
  conflict,
  failing,
  none,
} from './scripted-dynamodb.ts';

const order = { PK: 'ORDER#1', SK: 'ORDER' };
const effects: Effects = {
  writes: [{ Put: { Item: order, ConditionExpression: 'attribute_not_exists(PK)' } }],
  increments: [{ key: { PK: 'ann', SK: 'TOTAL' }, attribute: 'orders', by: 1, mustExist: true }],
};

/** Commits the effects to a DynamoDB that gives these answers, and then commits. */
function commit(answers: Answer[], timeoutMs = 60_000) {
  const send = vi.fn(
    ({ input }: TransactWriteItemsCommand, options: { abortSignal: AbortSignal }) =>
      (answers.shift() ?? (async () => accepted))(input, options.abortSignal),
  );
  const client = { send } as unknown as DynamoDBClient;
  const tables = { orders: ['PK', 'SK'] };
  const deadlineMs = Date.now() + timeoutMs;
  const committing = commitEffects(effects, { client, tables, deadlineMs });
  return { committing, sent: () => send.mock.calls.map(([{ input }]) => input) };
}

test('a lost answer is retried with the same token, and without a marker', async () => {
  const { committing, sent } = commit([failing('ECONNRESET'), cancelled(conflict, none)]);

  await committing;

  const [first, ...others] = sent();
  expect(others).toEqual([first, first]);
  expect(first?.TransactItems).toHaveLength(2);
});

test.each<[string, Answer, object]>([
  [
    'the condition of a write',
    cancelled(conflict, conditionFailed),
    { name: 'ConditionFailedError', key: order },
  ],
  ['an item that must exist', cancelled(conditionFailed, none), { name: 'ItemMissingError' }],
  ['DynamoDB', failing('AccessDeniedException', 400), { name: 'CommitRejectedError' }],
])('effects that can never happen are refused by %s', async (_, answer, error) => {
  await expect(commit([answer]).committing).rejects.toMatchObject(error);
});

test.each([
  ['has passed', 0, 'CommitDeadlineError'],
  ['is not a number', Number.NaN, 'UnsafeConfigurationError'],
  ['is later than DynamoDB remembers a token', 301_000, 'UnsafeConfigurationError'],
])('nothing is sent if the deadline %s', async (_, timeoutMs, name) => {
  const { committing, sent } = commit([], timeoutMs);

  await expect(committing).rejects.toMatchObject({ name });
  expect(sent()).toEqual([]);
});

import type { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { commitEffects, type Effects } from 'powertools-idempotency-transactional';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type Answer,
  accepted,
  cancelled,
  conditionFailed,
  conflict,
  failing,
  hanging,
  none,
} from './scripted-dynamodb.ts';

afterEach(() => {
  vi.useRealTimers();
});

const order = { PK: 'ORDER#1', SK: 'ORDER' };
const isNew = 'attribute_not_exists(PK)';
const effects: Effects = {
  writes: [{ Put: { Item: order, ConditionExpression: isNew } }],
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

test.each<[string, Answer]>([
  ['a lost answer', failing('ECONNRESET')],
  ['an answer without proof of the commit', async () => ({})],
  ['a conflict', cancelled(conflict, none)],
  ['throttling', failing('ThrottlingException', 400)],
])('%s is retried with the same token', async (_, answer) => {
  const { committing, sent } = commit([answer, answer]);

  await committing;

  const [first, ...others] = sent();
  expect(others).toEqual([first, first]);
  expect(first?.TransactItems).toHaveLength(2);
});

describe('effects that can never happen are refused', () => {
  test('by the condition of a write', async () => {
    const { committing } = commit([cancelled(conflict, { ...conditionFailed })]);

    await expect(committing).rejects.toMatchObject({ name: 'ConditionFailedError', key: order });
  });

  test('by an item that must exist', async () => {
    const { committing } = commit([cancelled({ ...conditionFailed }, none)]);

    await expect(committing).rejects.toMatchObject({ name: 'ItemMissingError' });
  });

  test('by DynamoDB', async () => {
    const { committing } = commit([failing('AccessDeniedException', 400)]);

    await expect(committing).rejects.toMatchObject({ name: 'CommitRejectedError' });
  });
});

test('attempts end at the deadline', async () => {
  vi.useFakeTimers({ now: 0 });
  const { committing } = commit(Array(9).fill(hanging), 4_500);
  const refusal = expect(committing).rejects.toThrow(
    'not committed before the deadline: 3 × no answer in time',
  );

  await vi.runAllTimersAsync();

  await refusal;
  expect(Date.now()).toBe(4_500);
});

test('nothing is sent after the deadline', async () => {
  const { committing, sent } = commit([], 0);

  await expect(committing).rejects.toThrow('no attempt was made');
  expect(sent()).toEqual([]);
});

test.each([Number.NaN, 301_000])('a deadline in %d ms is refused', async (timeoutMs) => {
  const { committing, sent } = commit([], timeoutMs);

  await expect(committing).rejects.toMatchObject({ name: 'UnsafeConfigurationError' });
  expect(sent()).toEqual([]);
});

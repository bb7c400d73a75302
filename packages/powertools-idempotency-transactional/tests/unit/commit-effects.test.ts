import { commitEffects } from 'powertools-idempotency-transactional';
import { expect, test } from 'vitest';
import {
  type Answer,
  cancelled,
  conflict,
  failing,
  none,
  scriptClient,
} from './scripted-dynamodb.ts';

/** Commits two writes to a DynamoDB that gives these answers, and then commits. */
function commit(answers: Answer[], timeoutMs = 60_000) {
  const { client, sent } = scriptClient(answers);
  const effects = {
    writes: [{ Put: { Item: { PK: 'ORDER#1', SK: 'ORDER' } } }],
    increments: [{ key: { PK: 'ann', SK: 'TOTAL' }, attribute: 'orders', by: 1 }],
  };
  const tables = { orders: ['PK', 'SK'] };
  const options = { awsSdkV3Client: client, tables, deadlineMs: Date.now() + timeoutMs };
  return { committing: commitEffects(effects, options), sent };
}

test('a lost answer is retried with the same token, and without a marker', async () => {
  const { committing, sent } = commit([failing('ECONNRESET'), cancelled(conflict, none)]);

  await committing;

  expect(sent).toEqual([sent[0], sent[0], sent[0]]);
  expect(sent[0]?.TransactItems).toHaveLength(2);
});

const unsent: Answer = () => Promise.reject(new Error('expected credentials; got none'));

test.each([
  { reason: 'cannot be sent', answer: unsent },
  { reason: 'are rejected', answer: failing('AccessDeniedException', 400) },
])('effects fail after one request that $reason', async ({ answer }) => {
  const { committing, sent } = commit([answer]);

  await expect(committing).rejects.toMatchObject({ name: 'CommitRejectedError' });
  expect(sent).toHaveLength(1);
});

test.each([
  { deadline: 'has passed', timeoutMs: 0, name: 'CommitDeadlineError' },
  { deadline: 'is not a number', timeoutMs: Number.NaN, name: 'UnsafeConfigurationError' },
  { deadline: 'outlives their token', timeoutMs: 301_000, name: 'UnsafeConfigurationError' },
])('effects fail before a request if their deadline $deadline', async ({ timeoutMs, name }) => {
  const { committing, sent } = commit([], timeoutMs);

  await expect(committing).rejects.toMatchObject({ name });
  expect(sent).toHaveLength(0);
});

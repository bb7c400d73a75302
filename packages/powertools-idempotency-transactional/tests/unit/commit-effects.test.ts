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

test.each<[string, number, Answer[], string, number]>([
  ['cannot be sent', 60_000, [unsent], 'CommitRejectedError', 1],
  ['are rejected', 60_000, [failing('AccessDeniedException', 400)], 'CommitRejectedError', 1],
  ['have a deadline that has passed', 0, [], 'CommitDeadlineError', 0],
  ['have a deadline that is not a number', Number.NaN, [], 'UnsafeConfigurationError', 0],
  ['have a deadline that outlives their token', 301_000, [], 'UnsafeConfigurationError', 0],
])('effects fail that %s', async (_, timeoutMs, answers, name, requests) => {
  const { committing, sent } = commit(answers, timeoutMs);

  await expect(committing).rejects.toMatchObject({ name });
  expect(sent).toHaveLength(requests);
});

import { expect, test } from 'vitest';
import { CommitDeadlineError, CommitRejectedError, ItemMissingError } from '../../src/errors.ts';
import { makeEntry } from '../helpers/entries.ts';
import {
  type Answer,
  cancelled,
  commit,
  commitAtRandom,
  committed,
  conditionFailed,
  duplicate,
  none,
  taken,
} from './scripted-dynamodb.ts';

/** Payloads of one key, each of another account. */
const payloads = (...accounts: string[]) =>
  accounts.map((account) => makeEntry('1', account, { payloadHash: account }));
const unknown = cancelled(none, conditionFailed, none);
const missing = (account: string) => new ItemMissingError({ PK: account, SK: 'TOTAL' });
const untried = new CommitRejectedError(
  'expected at most 3 payloads of one key in a batch; got more, so this one was not tried',
);
const repeat = (payloadHash: string) => ({ kind: 'duplicate', payloadHash });

test.each<[string, string[], Answer[], unknown[], number]>([
  ['is one marker and one duplicate', ['a', 'a'], [], [committed, repeat('a')], 1],
  ['is a duplicate of another payload', ['a', 'b'], [], [committed, repeat('a')], 1],
  ['is two of a known key', ['a', 'a'], [cancelled(taken, none, none)], [duplicate, duplicate], 1],
  ['fails twice for one reason', ['a', 'a'], [unknown], [missing('a'), missing('a')], 1],
  ['is tried again with another payload', ['a', 'b'], [unknown], [missing('a'), committed], 2],
  [
    'is not tried for ever',
    ['a', 'b', 'c', 'd', 'e'],
    [unknown, unknown, unknown],
    [...['a', 'b', 'c'].map(missing), untried, untried],
    3,
  ],
])('the same key in one batch %s', async (_, accounts, answers, expected, requests) => {
  const { outcomes, batches } = await commit(payloads(...accounts), ...answers);

  expect(outcomes).toEqual(expected);
  expect(batches).toEqual(Array(requests).fill('1'));
});

test('the same key is tried with its fourth payload, too, if deliveries repeat in the same order', async () => {
  // The second attempt is for the payload with the lowest number.
  const numbers = [0.9, 0.8, 0.1];

  const { outcomes } = await commitAtRandom(
    () => numbers.shift() ?? 0,
    payloads('a', 'b', 'c', 'good'),
    unknown,
  );

  expect(outcomes[3]).toEqual(committed);
});

test('the delivery with the most time commits a payload that several invocations deliver', async () => {
  const nowMs = Date.now();
  const entries = [-3, -2, -1, 10_000].map((ms) => makeEntry('1', 'a', { deadlineMs: nowMs + ms }));

  const { outcomes, sent } = await commit(entries);

  const late = new CommitDeadlineError('not committed before the deadline: no attempt was made');
  expect(outcomes).toEqual([late, late, late, committed]);
  expect(sent).toHaveLength(1);
});

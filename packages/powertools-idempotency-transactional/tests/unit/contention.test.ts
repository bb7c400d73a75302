import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CommitDeadlineError, CommitRejectedError } from '../../src/errors.ts';
import { makeEntries, makeEntry } from '../helpers/entries.ts';
import {
  type Answer,
  accepted,
  commit,
  commitAtRandom,
  commitInTime,
  committed,
  conflictAt,
  failing,
  markersOf,
  updatedKeysOf,
} from './scripted-dynamodb.ts';

const soon = (account: string, count: number, timeoutMs = 500) =>
  makeEntries(count, account).map((entry) => ({ ...entry, deadlineMs: Date.now() + timeoutMs }));

test('contended entries are split off, and the others are sent first', async () => {
  const entries = [makeEntry('1', 'hot'), makeEntry('2', 'cool'), makeEntry('3', 'hot')];

  const { outcomes, batches } = await commit(entries, conflictAt('hot'));

  expect(outcomes).toEqual([committed, committed, committed]);
  expect(batches).toEqual(['1 3 2', '2', '1 3']);
});

test('a conflict is tried again although a test has stopped the clock', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });

  const { outcomes } = await commitAtRandom(() => 0.5, [makeEntry('1', 'hot')], conflictAt('hot'));

  vi.useRealTimers();
  expect(outcomes).toEqual([committed]);
});

describe('with time that passes', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('after a conflict, the rest of its request queue waits, because another batch is writing the same items', async () => {
    let sent = 0;
    const answer: Answer = async (input, signal) => {
      sent += 1;
      return sent === 1 ? conflictAt('a')(input, signal) : accepted;
    };

    const committing = commitAtRandom(() => 0, makeEntries(300), ...Array(9).fill(answer));
    // Of four transactions, three remain. They take about 240 ms, so they wait for at least 120.
    await vi.advanceTimersByTimeAsync(119);
    expect(sent).toBe(1);
    await vi.runAllTimersAsync();

    expect((await committing).outcomes).toEqual(Array(300).fill(committed));
  });

  test('lasting contention does not starve other transactions, however many it holds up', async () => {
    const hot = Array.from({ length: 12 }, (_, index) => `hot-${index}`);
    const entries = [...hot, 'cool-1', 'cool-2'].flatMap((account) => soon(account, 20));

    const { outcomes } = await commitInTime(entries, ...Array(2_000).fill(conflictAt(...hot)));

    const failures = outcomes.filter((outcome) => outcome instanceof CommitDeadlineError);
    expect(failures).toHaveLength(12 * 20);
    expect(outcomes.slice(-40)).toEqual(Array(40).fill(committed));
  });

  test('lasting contention does not starve the neighbours of a rejected entry, which keeps its own reason', async () => {
    const entries = ['rejected', 'hot', 'b', 'c', 'd'].flatMap((account) => soon(account, 1));
    const faulty: Answer = (input, signal) => {
      const isRejected = markersOf(input).includes('rejected-0');
      return (isRejected ? failing('ValidationException', 400) : conflictAt('hot'))(input, signal);
    };

    const { outcomes } = await commitInTime(entries, ...Array(500).fill(faulty));

    expect(outcomes).toEqual([
      new CommitRejectedError('ValidationException: no'),
      expect.any(CommitDeadlineError),
      ...Array(3).fill(committed),
    ]);
  });
});

test('transactions that share an item run one after another, others side by side, eight at most', async () => {
  const inFlight = new Set<string>();
  let most = 0;
  const watching: Answer = async (input) => {
    const account = updatedKeysOf(input).at(-1) ?? '';
    if (inFlight.has(account)) throw new Error(`two transactions of ${account} at once`);
    most = Math.max(most, inFlight.add(account).size);
    await new Promise(setImmediate);
    inFlight.delete(account);
    return accepted;
  };
  const entries = Array.from('abcdefghij', (account) => makeEntries(100, account)).flat();

  const { outcomes } = await commit(entries, ...Array(20).fill(watching));

  expect(outcomes).toEqual(Array(1_000).fill(committed));
  expect(most).toBe(8);
});

test('an entry that DynamoDB rejects is found by halves, and its neighbours are committed', async () => {
  const reject = failing('ValidationException', 400);
  const rejecting: Answer = async (input, signal) =>
    markersOf(input).includes('a-61') ? reject(input, signal) : accepted;

  const { outcomes, sent } = await commit(makeEntries(98), ...Array(20).fill(rejecting));

  const expected = Array(98).fill(committed);
  expected[61] = new CommitRejectedError('ValidationException: no');
  expect(outcomes).toEqual(expected);
  // The first request, and two for each of the seven times that 98 can be halved.
  expect(sent.length).toBeLessThanOrEqual(15);
});

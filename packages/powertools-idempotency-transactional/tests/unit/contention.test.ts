import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Entry } from '../../src/entry.ts';
import { CommitDeadlineError, CommitRejectedError } from '../../src/errors.ts';
import { makeEntries, makeEntry } from '../helpers/entries.ts';
import {
  type Answer,
  accepted,
  cancelled,
  commit,
  commitAtRandom,
  committed,
  conflict,
  conflictAt,
  duplicate,
  failing,
  markersOf,
  none,
  taken,
  updatedKeysOf,
} from './scripted-dynamodb.ts';

const soon = (account: string, timeoutMs = 500) =>
  makeEntries(20, account).map((entry) => ({ ...entry, deadlineMs: Date.now() + timeoutMs }));

test('contended entries are split off, and the others are sent first', async () => {
  const entries = [makeEntry('1', 'hot'), makeEntry('2', 'cool'), makeEntry('3', 'hot')];
  // The positions are three markers, the hot items and the cool ones.
  const contended = cancelled(none, none, none, none, conflict, none, none);

  const { outcomes, sentMarkers } = await commit(entries, contended);

  expect(outcomes).toEqual([committed, committed, committed]);
  expect(sentMarkers).toEqual([
    ['ORDER#1', 'ORDER#3', 'ORDER#2'],
    ['ORDER#2'],
    ['ORDER#1', 'ORDER#3'],
  ]);
});

test('after a conflict, the rest of its series waits, because another batch is writing the same items', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
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

test('a series waits after a conflict only if there is time for another attempt', async () => {
  const nowMs = Date.now();
  vi.useFakeTimers({ now: nowMs });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  // 16 transactions, so the series would wait for at least 600 ms.
  const entries = makeEntries(1_500).map((entry) => ({ ...entry, deadlineMs: nowMs + 600 }));

  const committing = commit(entries, conflictAt('a'));
  await vi.runAllTimersAsync();

  expect((await committing).outcomes).toEqual(Array(1_500).fill(committed));
});

test('in a series, what may be sent at once goes before what is in backoff', async () => {
  const conflictAtMarker = cancelled(conflict, ...Array(99).fill(none));
  const answer = cancelled(taken, none, none, none);

  const { sentMarkers } = await commit(makeEntries(100), conflictAtMarker, answer);

  // The series has transactions of 98 and of 2 entries.
  expect(sentMarkers.map((markers) => markers.length)).toEqual([98, 2, 97, 1, 1]);
  expect(sentMarkers.slice(3)).toEqual([['ORDER#a-99'], ['ORDER#a-0']]);
});

describe('lasting contention does not starve', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const commitInTime = async (entries: Entry[], ...answers: Answer[]) => {
    const committing = commit(entries, ...answers);
    await vi.runAllTimersAsync();
    return committing;
  };

  test('other transactions, however many it holds up', async () => {
    const hot = Array.from({ length: 12 }, (_, index) => `hot-${index}`);
    const entries = [...hot, 'cool-1', 'cool-2'].flatMap((account) => soon(account));

    const { outcomes } = await commitInTime(entries, ...Array(2_000).fill(conflictAt(...hot)));

    const failures = outcomes.filter((outcome) => outcome instanceof CommitDeadlineError);
    expect(failures).toHaveLength(12 * 20);
    expect(outcomes.slice(-40)).toEqual(Array(40).fill(committed));
  });

  test('the neighbours of a duplicate', async () => {
    // If they waited for the hot account, it would be too late for them.
    const entries = [...soon('hot', 1_000), ...soon('cool', 600)];
    let isMet = false;
    const answer: Answer = (input, signal) => {
      const isCool = !updatedKeysOf(input).includes('hot');
      if (!isCool || isMet) return conflictAt('hot')(input, signal);
      isMet = true;
      return cancelled(taken, ...Array(21).fill(none))(input, signal);
    };

    const { outcomes } = await commitInTime(entries, ...Array(500).fill(answer));

    expect(outcomes.slice(20)).toEqual([duplicate, ...Array(19).fill(committed)]);
    expect(outcomes[0]).toBeInstanceOf(CommitDeadlineError);
  });

  test('the neighbours of a poisoned entry, which keeps its own reason', async () => {
    const entries = [
      makeEntry('poison', 'a', { deadlineMs: Date.now() + 500 }),
      ...['hot', 'b', 'c', 'd'].flatMap((account) => soon(account).slice(0, 1)),
    ];
    const faulty: Answer = (input, signal) =>
      markersOf(input).includes('ORDER#poison')
        ? failing('ValidationException', 400)(input, signal)
        : conflictAt('hot')(input, signal);

    const { outcomes } = await commitInTime(entries, ...Array(500).fill(faulty));

    expect(outcomes).toEqual([
      new CommitRejectedError('ValidationException: no'),
      expect.any(CommitDeadlineError),
      committed,
      committed,
      committed,
    ]);
  });
});

test('transactions that share an item run one after another, others side by side', async () => {
  const inFlight = new Set<string>();
  const seen = { sameAccount: 0, otherAccount: 0 };
  const watching: Answer = async (input) => {
    const account = updatedKeysOf(input).at(-1) ?? '';
    if (inFlight.has(account)) seen.sameAccount++;
    if (inFlight.size > 0) seen.otherAccount++;
    inFlight.add(account);
    await new Promise(setImmediate);
    inFlight.delete(account);
    return accepted;
  };
  const entries = ['a', 'b', 'c'].flatMap((account) => makeEntries(300, account));

  const { outcomes } = await commit(entries, ...Array(20).fill(watching));

  expect(outcomes).toEqual(Array(900).fill(committed));
  expect(seen.sameAccount).toBe(0);
  expect(seen.otherAccount).toBeGreaterThan(0);
});

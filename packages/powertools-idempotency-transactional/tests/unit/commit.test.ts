import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CommitDeadlineError, CommitRejectedError } from '../../src/errors.ts';
import {
  applyAction,
  conditionError,
  entryOf,
  makeEntries,
  makeEntry,
  missingError,
} from '../helpers/entries.ts';
import {
  type Answer,
  cancelled,
  commit,
  commitAtRandom,
  commitInTime,
  committed,
  conditionFailed,
  conflict,
  conflictAt,
  duplicate,
  failing,
  hanging,
  none,
  taken,
} from './scripted-dynamodb.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test.each<[string, Answer[], unknown[], string[]]>([
  ['nothing', [], [committed, committed, committed], ['token-0: a-0 a-1 a-2']],
  [
    'a duplicate',
    [cancelled(none, taken, none, none, none)],
    [committed, duplicate, committed],
    ['token-0: a-0 a-1 a-2', 'token-1: a-0 a-2'],
  ],
  [
    'a duplicate beside a conflict',
    [cancelled(taken, conflict, none, conflict, none), cancelled(none, none, conflict, none)],
    [duplicate, committed, committed],
    ['token-0: a-0 a-1 a-2', 'token-1: a-1 a-2', 'token-1: a-1 a-2'],
  ],
])(
  'after %s, a batch is sent again without what is settled, and leaves no timer',
  async (_, answers, expected, requests) => {
    vi.useFakeTimers();

    const { outcomes, sent, batches } = await commitInTime(makeEntries(3), ...answers);

    expect(outcomes).toEqual(expected);
    expect(sent.map(({ ClientRequestToken }, n) => `${ClientRequestToken}: ${batches[n]}`)).toEqual(
      requests,
    );
    expect(vi.getTimerCount()).toBe(0);
  },
);

test('a missing item fails only the entries that require it', async () => {
  const key = { PK: 'a', SK: 'TOTAL' };
  const entries = [true, false].map((mustExist, index) =>
    entryOf(`${index}`, { increments: [{ key, attribute: 'orders', by: 1, mustExist }] }),
  );

  const { outcomes, sent } = await commit(entries, cancelled(none, none, conditionFailed));

  expect(outcomes).toEqual([missingError(key), committed]);
  expect(applyAction(sent[1]?.TransactItems?.[1])).toMatchObject({ orders: { N: '1' } });
});

describe('an item out of bounds', () => {
  const key = { PK: 'a', SK: 'TOTAL' };
  const orderedAt = (at: string) => {
    const bounds = { since: { atMost: at }, closedAt: { atLeast: at } };
    return entryOf(at, {
      increments: [{ key, attribute: 'orders', by: 1, mustExist: true, bounds }],
    });
  };
  const times = ['2026-05-01', '2026-05-02', '2026-05-03'];
  const astral = '\u{1f600}';
  const bmp = '\uffee';

  // Strings are compared by their bytes, as DynamoDB does, and with no other types.
  test.each<[string, AttributeValue, string[], number[]]>([
    ['since', { S: '2026-05-02' }, times, [0]],
    ['closedAt', { S: '2026-05-02' }, times, [2]],
    ['closedAt', { S: '' }, times, [0, 1, 2]],
    ['since', { S: astral }, [bmp], [0]],
    ['since', { N: '1' }, [bmp], [0]],
  ])('by its %s %j fails, of the entries %j, only %j', async (name, value, ats, failing) => {
    const Item = { PK: { S: 'a' }, [name]: value };
    const markers = ats.map(() => none);
    const rejection = cancelled(...markers, { ...conditionFailed, Item });

    const { outcomes, sent } = await commit(ats.map(orderedAt), rejection);

    const error = conditionError(key, unmarshall(Item));
    expect(outcomes).toEqual(ats.map((_, n) => (failing.includes(n) ? error : committed)));
    expect(sent.length).toBe(failing.length === ats.length ? 1 : 2);
  });

  test('is rejected by the strictest bound of the entries that share its write', async () => {
    const { sent } = await commit(times.map(orderedAt));

    const write = sent[0]?.TransactItems?.at(-1);
    const stored = { PK: { S: 'a' }, orders: { N: '1' } };
    const rejected = ['2026-05-01', '2026-05-02'].map((since) =>
      applyAction(write, { ...stored, since: { S: since } }),
    );
    const closed = ['2026-05-02', '2026-05-03'].map((closedAt) =>
      applyAction(write, { ...stored, closedAt: { S: closedAt } }),
    );
    expect(rejected).toMatchObject([{ orders: { N: '4' } }, undefined]);
    expect(closed).toMatchObject([undefined, { orders: { N: '4' } }]);
    expect(applyAction(write, stored)).toMatchObject({ orders: { N: '4' } });
    expect(applyAction(write)).toBeUndefined();
  });
});

describe('a transient failure is retried with the same token', () => {
  test.each<[string, Answer]>([
    ['a conflict', cancelled(none, conflict, none)],
    ['a cancellation without reasons', cancelled()],
    ['a conflict of the request', failing('TransactionConflictException', 400)],
    ['a request in progress', failing('TransactionInProgressException', 400)],
    ['throttling', failing('ThrottlingException', 400)],
    ['a failing server', failing('InternalServerError', 500)],
    ['no answer', failing('ECONNRESET')],
  ])('%s', async (_, answer) => {
    const { outcomes, sent } = await commit(makeEntries(1), answer, answer);

    expect(outcomes).toEqual([committed]);
    expect(sent).toEqual([sent[0], sent[0], sent[0]]);
  });

  const throttled = { Code: 'ThrottlingError', Message: 'Throughput exceeds the current capacity' };

  // Half of 20 ms, doubled each time, up to half of the most.
  test.each([
    ['conflicts, up to 200 ms', conflict, [10, 20, 40, 80, 100, 100, 100, 100]],
    ['throttling, up to a second', throttled, [10, 20, 40, 80, 160, 320, 500, 500]],
  ])('after waits that double, with jitter: for %s', async (_, reason, expected) => {
    vi.useFakeTimers();
    const sentMs: number[] = [];
    const rejecting: Answer = async (input, signal) => {
      sentMs.push(Date.now());
      return cancelled(reason, none, none)(input, signal);
    };

    await commitInTime(makeEntries(1), ...Array(9).fill(rejecting));

    const waits = sentMs.slice(1).map((ms, index) => ms - (sentMs[index] ?? 0));
    expect(waits).toEqual(expected);
  });
});

describe('the deadline', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
  });

  const until = (...deadlines: number[]) =>
    deadlines.map((deadlineMs, index) => makeEntry(`${index}`, 'a', { deadlineMs }));
  const late = (causes: string) =>
    new CommitDeadlineError(`not committed before the deadline: ${causes}`);

  test('ends a request that hangs, after others in its place', async () => {
    const { outcomes, sent } = await commitInTime(until(4_500), hanging, hanging, hanging);

    expect(outcomes).toEqual([late('3 × no response in time')]);
    // Two requests of two seconds, and one of the remaining half second.
    expect(sent).toHaveLength(3);
    expect(Date.now()).toBe(4_500);
  });

  test("of one entry doesn't end the attempts for the others of its transaction", async () => {
    const { outcomes, sent } = await commitInTime(
      until(1_000, 0, 9_000),
      ...Array(20).fill(conflictAt('a')),
    );

    // While the others are still tried, it says why its own attempts failed.
    expect(outcomes).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/: \d+ × TransactionConflict$/) }),
      late('no attempt was made'),
      committed,
    ]);
    // With another token, the last entry could meet a marker of its own.
    expect(new Set(sent.map(({ ClientRequestToken }) => ClientRequestToken)).size).toBe(1);
  });

  test('of the delivery with the most time holds for a payload that several invocations deliver', async () => {
    const entries = [0, 1_000, 9_000].map((deadlineMs) => makeEntry('1', 'a', { deadlineMs }));

    const { outcomes } = await commitInTime(entries, ...Array(20).fill(conflictAt('a')));

    const [first, second, last] = outcomes;
    expect(first).toEqual(late('no attempt was made'));
    expect(last).toEqual(committed);
    expect(second).toBeInstanceOf(CommitDeadlineError);
  });
});

/** Payloads of one key, each of another account. */
const payloads = (...accounts: string[]) =>
  accounts.map((account) => makeEntry('1', account, { payloadHash: account }));
const unknown = cancelled(none, conditionFailed, none);
const missing = (account: string) => missingError({ PK: account, SK: 'TOTAL' });
const untried = new CommitRejectedError(
  'expected at most 3 payloads of one key at once; got more, so this one was not tried',
);
const repeat = (payloadHash: string) => ({ kind: 'duplicate', payloadHash });

interface SameKeys {
  title: string;
  accounts: string[];
  answers: Answer[];
  outcomes: unknown[];
  requests: number;
}

test.each<SameKeys>([
  {
    title: 'is one marker and one duplicate',
    accounts: ['a', 'a'],
    answers: [],
    outcomes: [committed, repeat('a')],
    requests: 1,
  },
  {
    title: 'is a duplicate of another payload',
    accounts: ['a', 'b'],
    answers: [],
    outcomes: [committed, repeat('a')],
    requests: 1,
  },
  {
    title: 'is two of a known key',
    accounts: ['a', 'a'],
    answers: [cancelled(taken, none, none)],
    outcomes: [duplicate, duplicate],
    requests: 1,
  },
  {
    title: 'fails twice for one reason',
    accounts: ['a', 'a'],
    answers: [unknown],
    outcomes: [missing('a'), missing('a')],
    requests: 1,
  },
  {
    title: 'is tried again with another payload',
    accounts: ['a', 'b'],
    answers: [unknown],
    outcomes: [missing('a'), committed],
    requests: 2,
  },
  {
    title: 'is not tried for ever',
    accounts: ['a', 'b', 'c', 'd', 'e'],
    answers: [unknown, unknown, unknown],
    outcomes: [missing('a'), untried, missing('c'), missing('d'), untried],
    requests: 3,
  },
])('the same key in one batch $title', async ({ accounts, answers, outcomes, requests }) => {
  const sent = await commit(payloads(...accounts), ...answers);

  expect(sent.outcomes).toEqual(outcomes);
  expect(sent.batches).toEqual(Array(requests).fill('1'));
});

describe('copies of a payload whose effects differ', () => {
  /** Copies of payload 1, each on another account. */
  const copies = (...accounts: string[]) => accounts.map((account) => makeEntry('1', account));

  test('are duplicates of the one that is committed, also those that failed before it', async () => {
    const { outcomes, batches } = await commit(copies('a', 'b', 'a'), unknown);

    expect(outcomes).toEqual([repeat('hash'), committed, repeat('hash')]);
    expect(batches).toEqual(['1', '1']);
  });

  test('fail each for its own reason', async () => {
    const { outcomes } = await commit(copies('a', 'b', 'a'), unknown, unknown);

    expect(outcomes).toEqual([missing('a'), missing('b'), missing('a')]);
  });
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

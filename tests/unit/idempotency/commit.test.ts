import {
  type CancellationReason,
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItemsCommand,
  type TransactWriteItemsInput,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { commitEntries } from '../../../lib/idempotency/commit.ts';
import { type Entry, groupByItem } from '../../../lib/idempotency/entry.ts';
import {
  CommitDeadlineError,
  CommitRejectedError,
  ItemMissingError,
} from '../../../lib/idempotency/errors.ts';
import { makeEntries, makeEntry } from '../../helpers/entries.ts';

type Answer = (input: TransactWriteItemsInput, abortSignal: AbortSignal) => Promise<unknown>;

const sent: TransactWriteItemsInput[] = [];
let tokens = 0;

beforeEach(() => {
  sent.length = 0;
  tokens = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

/** Commits against a DynamoDB that gives these answers in turn, and then commits everything. */
function commit(entries: Entry[], ...answers: Answer[]) {
  const send = async (
    { input }: TransactWriteItemsCommand,
    { abortSignal }: { abortSignal: AbortSignal },
  ) => {
    sent.push(input);
    return (answers.shift() ?? committed)(input, abortSignal);
  };
  const options = {
    client: { send } as unknown as DynamoDBClient,
    tableName: 'orders',
    keyAttribute: 'PK',
    random: () => 0.5,
    newToken: () => `token-${tokens++}`,
  };
  return commitEntries(options, entries);
}

const committed: Answer = async () => ({});
const cancelled =
  (...CancellationReasons: CancellationReason[]): Answer =>
  async () => {
    throw new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons });
  };
const failing =
  (name: string, httpStatusCode?: number): Answer =>
  async () => {
    const $fault = httpStatusCode && 'client';
    throw Object.assign(new Error('no'), { name, $fault, $metadata: { httpStatusCode } });
  };
// The SDK could not read what came, whatever its status was.
const cutOff =
  (httpStatusCode: number): Answer =>
  async () => {
    throw Object.assign(new SyntaxError('Unexpected end'), { $metadata: { httpStatusCode } });
  };

const none = { Code: 'None' };
const conflict = { Code: 'TransactionConflict' };
const failed = { Code: 'ConditionalCheckFailed' };
const ok = { kind: 'committed' };

const markersOf = ({ TransactItems = [] }: TransactWriteItemsInput) =>
  TransactItems.flatMap(({ Put }) => (Put?.Item?.PK?.S ? [Put.Item.PK.S] : []));
const sentMarkers = () => sent.map(markersOf);
const sentTokens = () => sent.map(({ ClientRequestToken }) => ClientRequestToken);

it('commits a batch in one request', async () => {
  const outcomes = await commit(makeEntries(3));

  expect(outcomes).toEqual([ok, ok, ok]);
  expect(sentMarkers()).toEqual([['ORDER#a-0', 'ORDER#a-1', 'ORDER#a-2']]);
});

it('does nothing for nothing', async () => {
  expect(await commit([])).toEqual([]);
  expect(sent).toEqual([]);
});

describe('what a cancellation settles is peeled off, and the rest goes again', () => {
  it('a duplicate', async () => {
    const marker = { PK: { S: 'ORDER#a-1' } };
    const duplicate = cancelled(none, { ...failed, Item: marker }, none, none, none);

    const outcomes = await commit(makeEntries(3), duplicate);

    expect(outcomes).toEqual([ok, { kind: 'duplicate', marker }, ok]);
    expect(sentMarkers()).toEqual([
      ['ORDER#a-0', 'ORDER#a-1', 'ORDER#a-2'],
      ['ORDER#a-0', 'ORDER#a-2'],
    ]);
    expect(sentTokens()).toEqual(['token-0', 'token-1']);
  });

  it('an item that must exist and does not', async () => {
    const entries = [makeEntry('1', 'a'), makeEntry('2', 'b')];

    const outcomes = await commit(entries, cancelled(none, none, none, none, failed, none));

    expect(outcomes).toEqual([ok, new ItemMissingError({ PK: 'b', SK: 'TOTAL' })]);
    expect(sentMarkers()).toEqual([['ORDER#1', 'ORDER#2'], ['ORDER#1']]);
  });

  it('all of it: nothing goes again', async () => {
    const outcomes = await commit(makeEntries(1), cancelled(failed, none, none));

    expect(outcomes).toEqual([{ kind: 'duplicate' }]);
    expect(sent).toHaveLength(1);
  });

  it('in a mix with a conflict', async () => {
    const mixed = cancelled(failed, conflict, none, conflict, none);

    const outcomes = await commit(makeEntries(3), mixed, cancelled(none, none, conflict, none));

    expect(outcomes).toEqual([{ kind: 'duplicate' }, ok, ok]);
    expect(sentMarkers()).toEqual([
      ['ORDER#a-0', 'ORDER#a-1', 'ORDER#a-2'],
      ['ORDER#a-1', 'ORDER#a-2'],
      ['ORDER#a-1', 'ORDER#a-2'],
    ]);
  });
});

describe('what says nothing about the entries is tried again, with the same token', () => {
  it.each<[string, Answer]>([
    ['a conflict', cancelled(none, conflict, none)],
    ['throttling at a position', cancelled(none, { Code: 'ThrottlingError' }, none)],
    ['a cancellation without reasons', cancelled()],
    ['ThrottlingException', failing('ThrottlingException', 400)],
    ['ProvisionedThroughputExceeded', failing('ProvisionedThroughputExceededException', 400)],
    ['RequestLimitExceeded', failing('RequestLimitExceeded', 400)],
    ['TransactionInProgress', failing('TransactionInProgressException', 400)],
    ['a failing server', failing('InternalServerError', 500)],
    ['an unavailable server', failing('ServiceUnavailable', 503)],
    ['too many requests', failing('Error', 429)],
    ['a commit whose answer was cut off', cutOff(200)],
    ['a refusal that was cut off', cutOff(400)],
    ['no answer', failing('ECONNRESET')],
    [
      'no answer in time',
      () => Promise.reject(Object.assign(new Error(), { name: 'TimeoutError' })),
    ],
  ])('%s', async (_, answer) => {
    expect(await commit(makeEntries(1), answer, answer)).toEqual([ok]);
    expect(sentTokens()).toEqual(['token-0', 'token-0', 'token-0']);
    expect(sent[1]).toEqual(sent[0]);
  });

  it('waits longer from attempt to attempt, by chance, one second at the most', async () => {
    vi.useFakeTimers();
    const waits: number[] = [];
    const setTimeout = globalThis.setTimeout;
    vi.stubGlobal('setTimeout', (run: () => void, ms: number) => {
      if (ms <= 1_000) waits.push(ms);
      return setTimeout(run, 0);
    });
    const conflicts = Array.from({ length: 8 }, () => cancelled(none, conflict, none));

    const committing = commit(makeEntries(1), ...conflicts);
    await vi.runAllTimersAsync();
    await committing;
    vi.unstubAllGlobals();

    // Half of 20 ms, doubled each time, up to half of 1,000 ms.
    expect(waits).toEqual([10, 20, 40, 80, 160, 320, 500, 500]);
  });
});

it('replaces an expired marker, unless somebody else was first', async () => {
  const expired = { ...failed, Item: { PK: { S: 'ORDER#a-0' }, ttl: { N: '1' } } };
  const renewed = { ...failed, Item: { PK: { S: 'ORDER#b-0' }, ttl: { N: '4000000000' } } };

  const alone = await commit(makeEntries(1), cancelled(expired, none, none));
  const second = await commit(
    makeEntries(1, 'b'),
    cancelled(expired, none, none),
    cancelled(renewed, none, none),
  );

  expect(alone).toEqual([ok]);
  expect(second).toEqual([{ kind: 'duplicate', marker: renewed.Item }]);
  const conditions = sent.map(({ TransactItems }) => TransactItems?.[0]?.Put?.ConditionExpression);
  const short = 'attribute_not_exists(PK)';
  expect(conditions).toEqual([
    short,
    `${short} OR #expiry < :now`,
    short,
    `${short} OR #expiry < :now`,
  ]);
});

it('does not let the others wait for what is contended', async () => {
  const entries = [makeEntry('1', 'hot'), makeEntry('2', 'cool'), makeEntry('3', 'hot')];
  // Three markers, the hot items, the cool ones.
  const contended = cancelled(none, none, none, none, conflict, none, none);

  const outcomes = await commit(entries, contended);

  expect(outcomes).toEqual([ok, ok, ok]);
  expect(sentMarkers()).toEqual([
    ['ORDER#1', 'ORDER#3', 'ORDER#2'],
    ['ORDER#2'],
    ['ORDER#1', 'ORDER#3'],
  ]);
});

describe('contention that lasts starves nobody else', () => {
  const soon = (account: string) =>
    makeEntries(40, account).map((entry) => ({ ...entry, deadlineMs: Date.now() + 500 }));
  const isFor = (input: TransactWriteItemsInput, ...accounts: string[]) =>
    input.TransactItems?.some(({ Update }) => accounts.includes(Update?.Key?.PK?.S ?? ''));
  // The conflict is at the items of one account.
  const conflictAt =
    (...hot: string[]): Answer =>
    async (input, signal) => {
      const reasons = (input.TransactItems ?? []).map(({ Update }) =>
        hot.includes(Update?.Key?.PK?.S ?? '') ? conflict : none,
      );
      return reasons.includes(conflict) ? cancelled(...reasons)(input, signal) : {};
    };

  it('however many transactions it holds up', async () => {
    const hot = Array.from({ length: 12 }, (_, index) => `hot-${index}`);
    const entries = [...hot, 'cool-1', 'cool-2'].flatMap(soon);

    const outcomes = await commit(entries, ...Array(2_000).fill(conflictAt(...hot)));

    const failures = outcomes.filter((outcome) => outcome instanceof CommitDeadlineError);
    expect(failures).toHaveLength(12 * 40);
    expect(outcomes.slice(-80)).toEqual(Array(80).fill(ok));
  });

  it('within a transaction, where another of its accounts was contended once', async () => {
    const entries = [...soon('hot'), ...soon('once')];

    const outcomes = await commit(
      entries,
      conflictAt('once'),
      ...Array(500).fill(conflictAt('hot')),
    );

    expect(outcomes.slice(40)).toEqual(Array(40).fill(ok));
    expect(outcomes[0]).toBeInstanceOf(CommitDeadlineError);
  });

  it('nor those beside a poisoned entry, which keeps its own reason', async () => {
    const entries = [
      makeEntry('poison', 'a', { deadlineMs: Date.now() + 500 }),
      ...['hot', 'b', 'c', 'd'].flatMap((account) => soon(account).slice(0, 1)),
    ];
    const trouble: Answer = async (input, signal) => {
      if (markersOf(input).includes('ORDER#poison')) {
        return failing('ValidationException', 400)(input, signal);
      }
      return isFor(input, 'hot') ? conflictAt('hot')(input, signal) : {};
    };

    const outcomes = await commit(entries, ...Array(500).fill(trouble));

    expect(outcomes).toEqual([
      new CommitRejectedError('ValidationException: no'),
      new CommitDeadlineError('not committed before the deadline'),
      ok,
      ok,
      ok,
    ]);
  });
});

it('blames a missing item on those alone that need it', async () => {
  const key = { PK: 'a', SK: 'TOTAL' };
  const needing = (mustExist: boolean) => ({
    updates: groupByItem([{ key, attribute: 'orders', by: 1, mustExist }]),
  });

  const outcomes = await commit(
    [makeEntry('1', 'a', needing(true)), makeEntry('2', 'a', needing(false))],
    cancelled(none, none, failed),
  );

  expect(outcomes).toEqual([new ItemMissingError(key), ok]);
  expect(sent[1]?.TransactItems?.[1]?.Update?.ConditionExpression).toBeUndefined();
});

describe('the deadline', () => {
  it('ends the attempts; what is not committed by then fails', async () => {
    vi.useFakeTimers({ now: 0 });
    const entries = makeEntries(2).map((entry) => ({ ...entry, deadlineMs: 4_500 }));
    const conflicts = Array.from({ length: 1_000 }, () => cancelled(none, none, conflict, none));

    const committing = commit(entries, ...conflicts);
    await vi.advanceTimersByTimeAsync(4_500);
    const outcomes = await committing;

    expect(outcomes).toEqual([
      new CommitDeadlineError('not committed before the deadline'),
      new CommitDeadlineError('not committed before the deadline'),
    ]);
    expect(sent.length).toBeGreaterThan(5);
  });

  it('ends a request that hangs, after others in its place', async () => {
    vi.useFakeTimers({ now: 0 });
    const hanging: Answer = (_, abortSignal) =>
      new Promise((_resolve, reject) => {
        const abort = () => reject(Object.assign(new Error(), { name: 'AbortError' }));
        abortSignal.addEventListener('abort', abort);
      });

    const committing = commit(
      [makeEntry('1', 'a', { deadlineMs: 4_500 })],
      hanging,
      hanging,
      hanging,
    );
    await vi.runAllTimersAsync();

    expect(await committing).toEqual([
      new CommitDeadlineError('not committed before the deadline'),
    ]);
    // Two of two seconds, and one for what is left.
    expect(sent).toHaveLength(3);
  });

  it('that has passed sends nothing', async () => {
    const outcomes = await commit([makeEntry('1', 'a', { deadlineMs: 0 })]);

    expect(outcomes).toEqual([new CommitDeadlineError('not committed before the deadline')]);
    expect(sent).toEqual([]);
  });
});

describe('a poisoned entry never fails its neighbours', () => {
  const refuse =
    (poison: string): Answer =>
    async (input) => {
      if (markersOf(input).includes(poison))
        return failing('ValidationException', 400)(input, never);
      return {};
    };
  const never = new AbortController().signal;
  const rejected = new CommitRejectedError('ValidationException: no');

  it('where DynamoDB refuses the whole request because of it', async () => {
    const entries = makeEntries(98);
    const answers = Array.from({ length: 20 }, () => refuse('ORDER#a-61'));

    const outcomes = await commit(entries, ...answers);

    expect(outcomes[61]).toEqual(rejected);
    expect(outcomes.filter((outcome) => outcome === outcomes[61])).toHaveLength(1);
    expect(outcomes.filter((outcome) => !(outcome instanceof Error))).toHaveLength(97);
    // Two requests for each of the seven halvings of 98, and the first.
    expect(sent.length).toBeLessThanOrEqual(15);
  });

  it('where it cannot even be sent', async () => {
    const broken: Answer = async (input) => {
      if (markersOf(input).includes('ORDER#a-1')) throw new TypeError('no string');
      return {};
    };

    const outcomes = await commit(makeEntries(3), broken, broken, broken, broken, broken);

    expect(outcomes).toEqual([ok, new CommitRejectedError('TypeError: no string'), ok]);
  });

  it('where an item that it shares with others is refused because of it', async () => {
    const invalid = { Code: 'ValidationError', Message: 'bad number' };
    const poisoned: Answer = async (input, signal) => {
      const count = markersOf(input).length;
      if (!markersOf(input).includes('ORDER#a-2')) return {};
      return cancelled(...Array(count).fill(none), invalid, none)(input, signal);
    };

    const outcomes = await commit(makeEntries(3), ...Array(6).fill(poisoned));

    expect(outcomes).toEqual([ok, ok, new CommitRejectedError('ValidationError: bad number')]);
  });
});

it('fails all at once where no entry could be committed, without trying each', async () => {
  const outcomes = await commit(makeEntries(50), failing('ResourceNotFoundException', 400));

  expect(new Set(outcomes)).toEqual(
    new Set([new CommitRejectedError('ResourceNotFoundException: no')]),
  );
  expect(sent).toHaveLength(1);
});

describe('the same key twice in one batch', () => {
  it('is one marker and one duplicate', async () => {
    const [entry, repeat] = [makeEntry('1'), makeEntry('1')];

    const outcomes = await commit([entry, repeat]);

    expect(outcomes).toEqual([ok, { kind: 'duplicate', marker: entry.marker }]);
    expect(sentMarkers()).toEqual([['ORDER#1']]);
  });

  it('is two duplicates where it was committed before', async () => {
    const marker = { PK: { S: 'ORDER#1' }, validation: { S: 'hash' } };

    const outcomes = await commit(
      [makeEntry('1'), makeEntry('1')],
      cancelled({ ...failed, Item: marker }, none, none),
    );

    expect(outcomes).toEqual([
      { kind: 'duplicate', marker },
      { kind: 'duplicate', marker },
    ]);
  });

  it('fails twice for one reason, tried once', async () => {
    const outcomes = await commit([makeEntry('1'), makeEntry('1')], cancelled(none, failed, none));

    const missing = new ItemMissingError({ PK: 'a', SK: 'TOTAL' });
    expect(outcomes).toEqual([missing, missing]);
    expect(sent).toHaveLength(1);
  });

  it('is tried for itself where its payload differs from the one that failed', async () => {
    const entries = [makeEntry('1', 'a'), makeEntry('1', 'b', { payloadHash: 'other' })];

    const outcomes = await commit(entries, cancelled(none, failed, none));

    expect(outcomes).toEqual([new ItemMissingError({ PK: 'a', SK: 'TOTAL' }), ok]);
  });
});

it('runs transactions that share an item one after another, others side by side', async () => {
  const inFlight = new Set<string>();
  const seen = { side: 0, together: 0 };
  const watching: Answer = async ({ TransactItems = [] }) => {
    const account = TransactItems.at(-1)?.Update?.Key?.PK?.S ?? '';
    if (inFlight.has(account)) seen.together++;
    if (inFlight.size > 0) seen.side++;
    inFlight.add(account);
    await new Promise(setImmediate);
    inFlight.delete(account);
    return {};
  };
  const entries = ['a', 'b', 'c'].flatMap((account) => makeEntries(300, account));

  const outcomes = await commit(entries, ...Array(20).fill(watching));

  expect(outcomes.every((outcome) => !(outcome instanceof Error))).toBe(true);
  expect(seen.together).toBe(0);
  expect(seen.side).toBeGreaterThan(0);
});

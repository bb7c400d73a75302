import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CommitQueue } from '../../src/commit-queue.ts';
import type { Entry, Outcome } from '../../src/entry.ts';
import { makeEntries, makeEntry } from '../helpers/entries.ts';
import {
  type Answer,
  accepted,
  committed,
  conflictAt,
  failing,
  hanging,
  markersOf,
  scriptClient,
} from './scripted-dynamodb.ts';

/** AWS publishes about 25 ms for a transaction. */
const requestMs = 25;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Answers as late as DynamoDB does. */
const late =
  (answer: Answer = async () => accepted): Answer =>
  async (input, signal) => {
    await sleep(requestMs);
    return answer(input, signal);
  };

/** A queue, and the requests that it has sent: when, and how many entries each had. */
function makeQueue(...answers: Answer[]) {
  const requests: { ms: number; ids: string[] }[] = [];
  const scripted = [...answers, ...Array<Answer>(2_000).fill(late())].map(
    (answer): Answer =>
      (input, signal) => {
        requests.push({ ms: Date.now(), ids: markersOf(input) });
        return answer(input, signal);
      },
  );
  const { client } = scriptClient(scripted);
  let tokens = 0;
  const newToken = () => `token-${tokens++}`;
  const queue = new CommitQueue({ client, random: () => 0.5, newToken });
  const sizes = () => requests.map(({ ids }) => ids.length);
  return { queue, requests, sizes };
}

/** Commits each entry after its own time, as handlers do that wait for something first. */
async function commitAfter(queue: CommitQueue, entries: Entry[], msOf: (index: number) => number) {
  const committing = entries.map(async (entry, index): Promise<Outcome> => {
    await sleep(msOf(index));
    return queue.commit(entry);
  });
  await vi.runAllTimersAsync();
  return Promise.all(committing);
}

const oneEach = (count: number) =>
  Array.from({ length: count }, (_, index) => makeEntry(`${index}`, `account-${index}`));

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

// As Jest's useFakeTimers() does, and dataloader then hangs.
test('entries of one tick share a request although a test has replaced all timers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'queueMicrotask', 'Date'] });
  const delayed: (() => void)[] = [];
  vi.spyOn(process, 'nextTick').mockImplementation((run, ...args) => {
    delayed.push(() => run(...args));
  });
  const { queue, sizes } = makeQueue(async () => accepted);

  const outcomes = await Promise.all(makeEntries(98).map((entry) => queue.commit(entry)));
  vi.restoreAllMocks();
  for (const run of delayed) process.nextTick(run);

  expect(outcomes).toEqual(Array(98).fill(committed));
  expect(sizes()).toEqual([98]);
});

test('entries that handlers commit after some promises share a request, too', async () => {
  const { queue, sizes } = makeQueue(async () => accepted);

  await Promise.all(
    makeEntries(90).map(async (entry, index) => {
      for (let jobs = index % 40; jobs > 0; jobs -= 1) await undefined;
      return queue.commit(entry);
    }),
  );

  expect(sizes()).toEqual([90]);
});

describe('with requests that take their time', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
  });

  test('an entry goes at once if nothing is in flight', async () => {
    const { queue, requests } = makeQueue();

    await commitAfter(queue, makeEntries(3), (index) => 100 * index);

    expect(requests.map(({ ms }) => ms)).toEqual([0, 100, 200]);
  });

  test.each<[string, Entry[], number[]]>([
    // A transaction has at most 98 markers beside an account's two items.
    ['one account', makeEntries(100), [1, 98, 1]],
    // 33 entries with their accounts' two items each fill a transaction. Then it needn't wait.
    ['an account each', oneEach(100), [1, 33, 33, 33]],
  ])('entries of %s that arrive meanwhile go together', async (_, entries, expected) => {
    const { queue, sizes } = makeQueue();

    const outcomes = await commitAfter(queue, entries, (index) => index / 5);

    expect(outcomes).toEqual(Array(100).fill(committed));
    expect(sizes()).toEqual(expected);
  });

  test('a thousand entries that arrive one by one take few requests, also after conflicts', async () => {
    const conflicts = Array<Answer>(4).fill(late(conflictAt('a')));
    const { queue, sizes } = makeQueue(late(), ...conflicts);

    const outcomes = await commitAfter(queue, makeEntries(1_000), (index) => index / 20);

    expect(outcomes).toEqual(Array(1_000).fill(committed));
    // One by itself, and ten times 98, and the rest; and the four that met a conflict.
    expect(sizes()).toHaveLength(1 + 11 + 4);
  });

  test('entries that arrive while DynamoDB throttles all requests go together', async () => {
    const throttling = Array<Answer>(3).fill(failing('ThrottlingException', 400));
    const { queue, sizes } = makeQueue(...throttling);

    await commitAfter(queue, oneEach(30), (index) => index);

    expect(sizes().length).toBeLessThan(12);
  });

  test('a request that hangs holds up others for a moment only: on its items longer than elsewhere', async () => {
    const { queue, requests } = makeQueue(hanging);
    const entries = [makeEntry('1'), makeEntry('elsewhere', 'b'), makeEntry('same item')];

    await commitAfter(queue, entries, (index) => 10 * index);

    const [, elsewhere, sameItem] = requests;
    expect(elsewhere).toEqual({ ms: 10 + 80, ids: ['elsewhere'] });
    expect(sameItem).toEqual({ ms: 500, ids: ['same item'] });
  });

  test('eight requests are in flight at most, and what waits for them goes together', async () => {
    const { queue, requests, sizes } = makeQueue(...Array<Answer>(8).fill(hanging));

    await commitAfter(queue, oneEach(100), (index) => 100 * index);

    const before = requests.filter(({ ms }) => ms < 2_000);
    expect(before).toHaveLength(8);
    expect(sizes()[8]).toBeGreaterThan(1);
  });

  test('a repeat that arrives while its key is in flight shares the outcome, and sends nothing', async () => {
    const { queue, sizes } = makeQueue();
    const entries = [makeEntry('1'), makeEntry('1'), makeEntry('1', 'b', { payloadHash: 'other' })];

    const outcomes = await commitAfter(queue, entries, (index) => index);

    const repeat = { kind: 'duplicate', payloadHash: 'hash' };
    expect(outcomes).toEqual([committed, repeat, repeat]);
    expect(sizes()).toEqual([1]);
  });

  test('a repeat with more time is tried by itself when the first delivery runs out of it', async () => {
    const { queue } = makeQueue(hanging, hanging);
    const entries = [
      makeEntry('1', 'a', { deadlineMs: 1_000 }),
      makeEntry('1', 'a', { deadlineMs: 9_000 }),
    ];

    const [first, second] = await commitAfter(queue, entries, (index) => index);

    expect(first).toMatchObject({ name: 'CommitDeadlineError' });
    expect(second).toEqual(committed);
  });
});

import { afterEach, expect, test, vi } from 'vitest';
import { CommitQueue } from '../../src/commit-queue.ts';
import { maxRequests } from '../../src/pack.ts';
import { entryOf, makeEntry } from '../helpers/entries.ts';
import { type Answer, accepted, committed, failing, scriptClient } from './scripted-dynamodb.ts';

afterEach(() => {
  vi.useRealTimers();
});

function makeQueue(answers: Answer[]) {
  const { client } = scriptClient(answers);
  return new CommitQueue({ client, random: () => 0, newToken: () => 'token' });
}

const mistake = new TypeError('a mistake');
const fail = () => {
  throw mistake;
};

const throwing =
  (error: unknown): Answer =>
  async () => {
    throw error;
  };

function makeCycle(): Error {
  const first = new Error('first');
  first.cause = new Error('second', { cause: first });
  return first;
}

const unreadable = Object.defineProperty(new Error('no'), 'name', { get: fail });

test.each<[string, unknown, unknown]>([
  ['whose causes form a cycle', makeCycle(), { name: 'CommitRejectedError' }],
  ['that throws when it is read', unreadable, mistake],
  ['that cannot be printed', Object.create(null), { name: 'CommitRejectedError' }],
])(
  'an error %s fails its payload, and the next one of its key is committed',
  async (_, error, outcome) => {
    const throwing: Answer = async () => {
      throw error;
    };
    const queue = makeQueue(Array(maxRequests).fill(throwing));

    for (let failed = 0; failed < maxRequests; failed += 1) {
      expect(await queue.commit(makeEntry('1'))).toMatchObject(outcome as object);
    }
    expect(await queue.commit(makeEntry('1'))).toEqual(committed);
  },
);

test('a payload that cannot be read fails alone', async () => {
  const unreadableEntry = Object.defineProperty(makeEntry('1'), 'actions', { get: fail });
  const queue = makeQueue([]);

  const outcomes = [unreadableEntry, makeEntry('2')].map((entry) => queue.commit(entry));
  expect(await outcomes[0]).toBe(mistake);
  expect(await outcomes[1]).toEqual(committed);
});

test('effects that cannot be compared fail only their own payload', async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const bounds = { day: { atMost: circular as unknown as string } };
  const key = { PK: 'a', SK: 'TOTAL' };
  const repeat = entryOf('1', { increments: [{ key, attribute: 'orders', by: 1, bounds }] });
  const queue = makeQueue([failing('ValidationException', 400)]);

  const outcomes = [makeEntry('1'), repeat].map((entry) => queue.commit(entry));
  expect(await outcomes[0]).toMatchObject({ name: 'CommitRejectedError' });
  expect(await outcomes[1]).toBeInstanceOf(TypeError);
});

test('payloads whose response cannot be judged fail together, and the next ones are committed', async () => {
  const queue = makeQueue([throwing(unreadable)]);
  const commitBoth = () => Promise.all(['1', '2'].map((id) => queue.commit(makeEntry(id))));

  expect(await commitBoth()).toEqual([mistake, mistake]);
  expect(await commitBoth()).toEqual([committed, committed]);
});

test('a mistake when the time of a payload has come fails it, and not the one in flight', async () => {
  vi.useFakeTimers();
  const queue = makeQueue([
    () => new Promise((resolve) => setTimeout(() => resolve(accepted), 200)),
  ]);
  const inFlight = queue.commit(makeEntry('1'));
  await vi.advanceTimersByTimeAsync(20);
  const waiting = makeEntry('2', 'b');
  const failed = queue.commit(waiting);
  await vi.advanceTimersByTimeAsync(20);
  Object.defineProperty(waiting, 'actions', { get: fail });

  await vi.advanceTimersByTimeAsync(100);
  expect(await failed).toBe(mistake);
  await vi.advanceTimersByTimeAsync(100);
  expect(await inFlight).toEqual(committed);
  expect(await queue.commit(makeEntry('2', 'b'))).toEqual(committed);
});

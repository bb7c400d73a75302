import {
  type CancellationReason,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  batchGetItems,
  retryWhileBusy,
  WriteUnprovenError,
} from '../../../lib/dynamodb/requests.ts';
import { connectionLost, serviceError } from '../../helpers/faults.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

// The SDK adds $metadata to errors after it has sent the request.
const answerLost = () => Object.assign(connectionLost(), { $metadata: { attempts: 3 } });

const cancelled = (CancellationReasons?: CancellationReason[]) =>
  new TransactionCanceledException({ message: 'cancelled', $metadata: {}, CancellationReasons });

/** Counts the attempts at a write that fails this often. */
async function countAttempts(error: Error, failures: number, deadlineMs?: number) {
  const write = vi.fn(async () => {
    if (write.mock.calls.length <= failures) throw error;
    return 'written';
  });
  const written = retryWhileBusy(write, deadlineMs).catch((last: unknown) => last);
  await vi.runAllTimersAsync();
  return { outcome: await written, attempts: write.mock.calls.length };
}

const reasons = (...codes: (string | undefined)[]) => cancelled(codes.map((Code) => ({ Code })));
const busy = { message: 'busy', $metadata: {} };
const aborted = Object.assign(new Error('aborted'), { name: 'AbortError' });

test.each<[string, Error, number]>([
  ['a lost answer', answerLost(), 2],
  ['an answer that proves nothing', new WriteUnprovenError('no link'), 2],
  ['a failing server', serviceError('InternalServerError', 500), 2],
  ['throttled capacity', new ProvisionedThroughputExceededException(busy), 2],
  ['a conflict beside a condition', reasons('ConditionalCheckFailed', 'TransactionConflict'), 2],
  ['a cancellation without reasons', cancelled(), 2],
  ['a timeout', aborted, 1],
  ['a bug', new TypeError('Cannot read properties of undefined'), 1],
  ['a rejection', serviceError('AccessDeniedException', 400), 1],
  ['an invalid item beside a conflict', reasons('TransactionConflict', 'ValidationError'), 1],
])('a write that fails with %s has %i attempts', async (_, error, attempts) => {
  const outcome = attempts > 1 ? 'written' : error;

  expect(await countAttempts(error, 1)).toEqual({ outcome, attempts });
});

test('a write is tried at most eight times, and the backoff is random, doubles and has a limit', async () => {
  const error = answerLost();
  // Of 25 ms after the first attempt, and of 400 ms at most.
  vi.spyOn(Math, 'random').mockReturnValue(0.8);

  expect(await countAttempts(error, 7)).toEqual({ outcome: 'written', attempts: 8 });
  const startMs = Date.now();
  expect(await countAttempts(error, 8)).toEqual({ outcome: error, attempts: 8 });
  expect(Date.now() - startMs).toBe(20 + 40 + 80 + 160 + 320 + 320 + 320);
});

test('a write with a deadline is tried until then', async () => {
  const error = answerLost();
  vi.spyOn(Math, 'random').mockReturnValue(1);
  // After the eighth attempt, each one follows the last after 400 ms.
  const deadlineMs = Date.now() + 25 + 50 + 100 + 200 + 3 * 400 + 2 * 400;

  expect(await countAttempts(error, 100, deadlineMs)).toEqual({ outcome: error, attempts: 10 });
});

test('unprocessed keys are read again, with backoff', async () => {
  const one = { PK: 'LINK#1111', SK: 'META' };
  const two = { PK: 'LINK#2222', SK: 'META' };
  const answers = [
    { read: [two], left: [one] },
    { read: [], left: [one] },
    { read: [one], left: [] },
  ];
  vi.spyOn(Math, 'random').mockReturnValue(0.8);
  const startMs = Date.now();
  const requests: [keys: unknown, afterMs: number][] = [];
  const send = async ({ input }: { input: { RequestItems: { links: { Keys: unknown } } } }) => {
    requests.push([input.RequestItems.links.Keys, Date.now() - startMs]);
    const { read, left } = answers.shift() ?? {};
    return { Responses: { links: read }, UnprocessedKeys: { links: { Keys: left } } };
  };
  const client = { send } as unknown as DynamoDBDocumentClient;

  const items = batchGetItems({ client, tableName: 'links' }, [one, two]);
  await vi.runAllTimersAsync();

  expect(await items).toEqual([two, one]);
  expect(requests).toEqual([
    [[one, two], 0],
    [[one], 40],
    [[one], 120],
  ]);
});

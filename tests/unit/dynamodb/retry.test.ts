import {
  type CancellationReason,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { backOff, retryWhileBusy, WriteUnprovenError } from '../../../lib/dynamodb/retry.ts';
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
async function countAttempts(error: Error, failures: number) {
  const write = vi.fn(async () => {
    if (write.mock.calls.length <= failures) throw error;
    return 'written';
  });
  const written = retryWhileBusy(write).catch((last: unknown) => last);
  await vi.runAllTimersAsync();
  return { outcome: await written, attempts: write.mock.calls.length };
}

test.each<[string, Error]>([
  ['a lost answer', answerLost()],
  ['an answer that proves nothing', new WriteUnprovenError('no link')],
  ['a failing server', serviceError('InternalServerError', 500)],
  ['a throttled request', serviceError('ThrottlingException', 400)],
  [
    'throttled capacity',
    new ProvisionedThroughputExceededException({ message: 'busy', $metadata: {} }),
  ],
  ['a conflict', cancelled([{ Code: 'None' }, { Code: 'TransactionConflict' }])],
  ['a conflict beside a reason without a code', cancelled([{}, { Code: 'TransactionConflict' }])],
  [
    'a conflict beside a failed condition',
    cancelled([{ Code: 'ConditionalCheckFailed' }, { Code: 'TransactionConflict' }]),
  ],
  ['a cancellation without reasons', cancelled()],
])('a write is repeated after %s', async (_, error) => {
  expect(await countAttempts(error, 1)).toEqual({ outcome: 'written', attempts: 2 });
});

test.each<[string, Error]>([
  ['a timeout', Object.assign(new Error('aborted'), { name: 'AbortError' })],
  ['a bug', new TypeError('Cannot read properties of undefined')],
  ['a refusal', serviceError('AccessDeniedException', 400)],
  ['an invalid item', cancelled([{ Code: 'ValidationError' }, { Code: 'None' }])],
  [
    'an invalid item beside a conflict',
    cancelled([{ Code: 'TransactionConflict' }, { Code: 'ValidationError' }]),
  ],
])('a write is not repeated after %s', async (_, error) => {
  expect(await countAttempts(error, 1)).toEqual({ outcome: error, attempts: 1 });
});

test('a write is tried at most eight times', async () => {
  const error = answerLost();

  expect(await countAttempts(error, 7)).toEqual({ outcome: 'written', attempts: 8 });
  expect(await countAttempts(error, 8)).toEqual({ outcome: error, attempts: 8 });
});

test.each([
  [1, 20],
  [2, 40],
  [3, 80],
  [4, 160],
  [5, 320],
  [6, 320],
  [7, 320],
])(
  'the backoff after attempt %d is random, doubles with each attempt and has a limit',
  async (attempt, expectedMs) => {
    // Of 25 ms after the first attempt, and of 400 ms at most.
    vi.spyOn(Math, 'random').mockReturnValue(0.8);
    const startMs = Date.now();

    const waited = backOff(attempt).then(() => Date.now() - startMs);
    await vi.runAllTimersAsync();

    expect(await waited).toBe(expectedMs);
  },
);

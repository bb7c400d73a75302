import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type DeliverySettings, deliverBatch } from '../../../local/stack/stream-delivery.ts';

const settings: DeliverySettings = {
  maxRetries: 2,
  maxAgeMs: Infinity,
  bisects: true,
  reportsFailures: true,
};

let invoke: ReturnType<typeof vi.fn<(event: DynamoDBStreamEvent) => Promise<string>>>;
let onError: ReturnType<typeof vi.fn<(error: Error) => void>>;
let wait: ReturnType<typeof vi.fn<(ms: number) => Promise<void>>>;
let controller: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  invoke = vi.fn(async () => '{"batchItemFailures":[]}');
  onError = vi.fn();
  wait = vi.fn(async (ms) => void vi.advanceTimersByTime(ms));
  controller = new AbortController();
});

afterEach(() => vi.useRealTimers());

/** Delivers records with these sequence numbers. */
function deliver(numbers: number[], changes: Partial<DeliverySettings> = {}): Promise<void> {
  const records = numbers.map((number) => ({ dynamodb: { SequenceNumber: `${number}` } }));
  const { signal } = controller;
  return deliverBatch(records, { ...settings, ...changes, invoke, onError, wait, signal });
}

/** The function reports only these records as failed. */
function failOn(...numbers: number[]): void {
  invoke.mockImplementation(async ({ Records }) => {
    const failed = Records.map(readNumber).filter((number) => numbers.includes(number));
    const batchItemFailures = failed.map((number) => ({ itemIdentifier: `${number}` }));
    return JSON.stringify({ batchItemFailures });
  });
}

/** The function throws if it gets any of these records. */
function throwOn(...numbers: number[]): void {
  invoke.mockImplementation(async ({ Records }) => {
    if (Records.some((record) => numbers.includes(readNumber(record)))) throw new Error('oops');
    return '';
  });
}

function readNumber(record: DynamoDBRecord): number {
  return Number(record.dynamodb?.SequenceNumber);
}

/** The sequence numbers of each batch that the function got. */
function batches(): number[][] {
  return invoke.mock.calls.map(([{ Records }]) => Records.map(readNumber));
}

function errors(): string[] {
  return onError.mock.calls.map(([{ message }]) => message);
}

test("delivery resumes at the batch's first failed record, in whatever order they are reported", async () => {
  invoke.mockResolvedValueOnce(
    '{"batchItemFailures":[{"itemIdentifier":"10"},{"itemIdentifier":"9"}]}',
  );

  await deliver([8, 9, 10, 11]);

  expect(batches()).toEqual([
    [8, 9, 10, 11],
    [9, 10, 11],
  ]);
});

test('a record that always fails is isolated and given up after its retries', async () => {
  failOn(3);

  await deliver([1, 2, 3, 4, 5, 6]);

  expect(batches()).toEqual([[1, 2, 3, 4, 5, 6], [3, 4, 5, 6], [3, 4], [3], [3], [3], [4], [5, 6]]);
  expect(errors()).toEqual(['Gave up on the records 3 to 3 of a stream: 3 attempts failed.']);
});

test('records are given up when they are too old, even with retries left', async () => {
  throwOn(1);

  await deliver([1], { maxRetries: Infinity, maxAgeMs: 60_000 });

  // 0.1 + 0.2 + … + 6.4 s, then 10 s each: 62.7 s after twelve retries.
  expect(invoke).toHaveBeenCalledTimes(13);
  expect(errors().at(-1)).toBe('Gave up on the records 1 to 1 of a stream: they are too old.');
});

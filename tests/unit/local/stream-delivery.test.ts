import type { DynamoDBStreamEvent } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import { deliverBatch } from '../../../local/stack/stream-delivery.ts';

/** Delivers records with these sequence numbers. */
async function deliver(numbers: number[], respond: (attempt: number) => string) {
  vi.useFakeTimers();
  const batches: number[][] = [];
  const errors: string[] = [];
  await deliverBatch(
    numbers.map((number) => ({ dynamodb: { SequenceNumber: `${number}` } })),
    {
      maxAgeMs: 60_000,
      invoke: async ({ Records }: DynamoDBStreamEvent) => {
        batches.push(Records.map(({ dynamodb }) => Number(dynamodb?.SequenceNumber)));
        return respond(batches.length);
      },
      onError: ({ message }) => errors.push(message),
      wait: async (ms) => void vi.advanceTimersByTime(ms),
      signal: new AbortController().signal,
    },
  );
  vi.useRealTimers();
  return { batches, errors };
}

test("delivery resumes at the batch's first failed record, in whatever order they are reported", async () => {
  const failed = '{"batchItemFailures":[{"itemIdentifier":"10"},{"itemIdentifier":"9"}]}';

  const { batches, errors } = await deliver([8, 9, 10, 11], (attempt) =>
    attempt === 1 ? failed : '',
  );

  expect(batches).toEqual([
    [8, 9, 10, 11],
    [9, 10, 11],
  ]);
  expect(errors).toEqual([]);
});

test('records are given up when they are too old', async () => {
  const { batches, errors } = await deliver([1], () => {
    throw new Error('oops');
  });

  // 0.1 + 0.2 + … + 6.4 s, then 10 s each: 62.7 s after twelve retries.
  expect(batches).toHaveLength(13);
  expect(errors.at(-1)).toBe('Gave up on 1 records of a stream: they are too old.');
});

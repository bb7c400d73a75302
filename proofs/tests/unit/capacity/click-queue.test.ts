import { beforeEach, expect, test } from 'vitest';
import { createRandom } from '../../../../fixtures/random.ts';
import { ClickQueue, type QueueParts, tickMs } from '../../../capacity/click-queue.ts';
import type { ClickMessage } from '../../../capacity/click-source.ts';

const time = { nowMs: 0, after: () => () => {} };
let batches: { atMs: number; messages: ClickMessage[]; end: (...failed: string[]) => void }[];

beforeEach(() => {
  time.nowMs = 0;
  batches = [];
});

function createQueue(changes: Partial<QueueParts['settings']> = {}, recordBytes = 1_000) {
  return new ClickQueue({
    ...{ time, random: createRandom(1), recordBytes: () => recordBytes },
    settings: {
      ...{ batchSize: 10, batchWindowMs: 0, maximumConcurrency: 1 },
      ...{ visibilityTimeoutMs: 30_000, maxReceiveCount: 2, ...changes },
    },
    invoke: (messages, end) =>
      void batches.push({
        ...{ atMs: time.nowMs, messages },
        end: (...failed) => end(new Set(failed)),
      }),
  });
}

function arrive(queue: ClickQueue, count: number): void {
  for (let left = count; left > 0; left -= 1) {
    queue.arrive({ number: queue.sent + 1, code: 'code', clickId: 'id', queue: 0 });
  }
}

function pass(queue: ClickQueue, forMs: number): void {
  for (const endMs = time.nowMs + forMs; time.nowMs < endMs; time.nowMs += tickMs) queue.tick();
}

test('a batch closes at the end of its window, which starts with its first message', () => {
  const queue = createQueue({ batchWindowMs: 500 });
  arrive(queue, 1);
  pass(queue, 1_000);
  batches[0]?.end();
  arrive(queue, 1);
  pass(queue, 300);
  arrive(queue, 1);

  pass(queue, 1_000);

  expect(batches.map(({ messages }) => messages.length)).toEqual([1, 2]);
  expect(batches[1]?.atMs).toBe(1_500);
});

test('a batch closes before it exceeds 6 MB', () => {
  const queue = createQueue({ batchSize: 10_000, batchWindowMs: 60_000 }, 10_000);
  arrive(queue, 10_000);

  pass(queue, 1_000);

  // 6 × 1,048,576 bytes ÷ 10,000 bytes
  expect(batches.map(({ messages }) => messages.length)).toEqual([629]);
});

test.each([
  ['a batch receives 100 messages a tick, which is 5,000 a second', 0, 2, 200],
  ['no more than 120,000 messages are in flight', 119_950, 50, 120_000],
])('%s', (_, before, ticks, after) => {
  const queue = createQueue({ batchSize: 10_000, batchWindowMs: 60_000 });
  queue.inFlight = before;
  arrive(queue, 10_000);

  pass(queue, ticks * tickMs);

  expect(queue.inFlight).toBe(after);
});

test('requests to the queue: a long poll every 20 seconds, and one for ten messages', () => {
  const queue = createQueue({ batchSize: 1_000 });
  pass(queue, 60_000);
  const idle = queue.requests;
  arrive(queue, 95);
  pass(queue, tickMs);
  const received = queue.requests;

  batches[0]?.end('message-1', 'message-2', 'message-3', 'message-4', 'message-5');

  expect(idle).toBeCloseTo(3, 6);
  expect(received - idle).toBeCloseTo(10 + tickMs / 20_000, 6);
  // 90 deleted messages.
  expect(queue.requests - received).toBeCloseTo(9, 6);
});

test('a failed message comes again after the visibility timeout, before newer ones, and at last is a dead letter', () => {
  const queue = createQueue({ batchSize: 2 });
  arrive(queue, 2);
  pass(queue, 1_000);
  batches[0]?.end('message-1');
  // 30 s after it was received.
  pass(queue, 29_000 - tickMs);
  arrive(queue, 2);
  time.nowMs = 30_000;
  pass(queue, tickMs);
  batches[1]?.end('message-1');
  time.nowMs = 60_000;
  pass(queue, tickMs);

  const ids = batches.map(({ messages }) => messages.map(({ id }) => id));
  expect(ids).toEqual([['message-1', 'message-2'], ['message-1', 'message-3'], ['message-4']]);
  const { visible, inFlight, size, deadLetters, deleted } = queue;
  expect({ visible, inFlight, size, deadLetters, deleted }).toEqual({
    ...{ visible: 0, inFlight: 1, size: 1, deadLetters: 1, deleted: 2 },
  });
});

import { beforeEach, expect, test } from 'vitest';
import { createRandom } from '../../../../fixtures/random.ts';
import { ArrivalQueue } from '../../../capacity/arrival-queue.ts';
import { Mapping, type MappingSettings, tickMs } from '../../../capacity/mapping.ts';

const single: MappingSettings = { batchSize: 10, batchWindowMs: 0, maximumConcurrency: 1 };

let nowMs: number;
let queue: ArrivalQueue;
let batches: { atMs: number; size: number; receivedMs: number; done: () => void }[];

beforeEach(() => {
  nowMs = 0;
  queue = new ArrivalQueue({ now: () => nowMs, visibilityTimeoutMs: 30_000, maxReceiveCount: 3 });
  batches = [];
});

function createMapping(changes: Partial<MappingSettings> = {}, recordBytes = 1_000): Mapping {
  const time = {
    get nowMs() {
      return nowMs;
    },
    after: () => () => {},
  };
  return new Mapping({
    ...{ queue, time, random: createRandom(1), recordBytes: () => recordBytes },
    settings: { ...single, ...changes },
    invoke: (batch, receivedMs, done) =>
      void batches.push({ atMs: nowMs, size: batch.length, receivedMs, done }),
  });
}

function arrive(count: number): void {
  for (let left = count; left > 0; left -= 1) {
    queue.arrive({ number: 1, code: 'code', clickId: 'id', queue: 0 });
  }
}

function pass(mapping: Mapping, forMs: number): void {
  for (const endMs = nowMs + forMs; nowMs < endMs; nowMs += tickMs) mapping.tick();
}

const sizes = () => batches.map(({ size }) => size);

test('a batch closes at the end of its window, which starts with its first message', () => {
  const mapping = createMapping({ batchWindowMs: 500 });
  arrive(1);
  pass(mapping, 1_000);
  batches[0]?.done();
  arrive(1);
  pass(mapping, 300);
  arrive(1);

  pass(mapping, 1_000);

  expect(batches).toMatchObject([{ size: 1 }, { size: 2, receivedMs: 1_000, atMs: 1_500 }]);
});

test('a batch closes before it exceeds 6 MB', () => {
  const mapping = createMapping({ batchSize: 10_000, batchWindowMs: 60_000 }, 10_000);
  arrive(10_000);

  pass(mapping, 1_000);

  // 6 × 1,048,576 bytes ÷ 10,000 bytes
  expect(sizes()).toEqual([629]);
});

test('a batch receives 100 messages a tick, which is 5,000 a second', () => {
  const mapping = createMapping({ batchSize: 10_000, batchWindowMs: 1_000 });
  arrive(10_000);

  pass(mapping, 2 * tickMs);

  expect(queue.inFlight).toBe(200);
});

test('no more than 120,000 messages are in flight', () => {
  const mapping = createMapping({ batchSize: 10_000, batchWindowMs: 60_000 });
  arrive(121_000);
  queue.receive(119_950);

  pass(mapping, 1_000);

  expect(queue.inFlight).toBe(120_000);
});

test('requests to the queue: a long poll every 20 seconds, and one for ten messages', () => {
  const mapping = createMapping({ batchSize: 1_000 });
  pass(mapping, 60_000);
  const idle = mapping.queueRequests;
  arrive(95);
  pass(mapping, tickMs);
  const received = mapping.queueRequests;
  mapping.noteDeleted(10);
  mapping.noteDeleted(21);
  mapping.noteDeleted(0);

  expect(idle).toBeCloseTo(3, 6);
  expect(received - idle).toBeCloseTo(10 + tickMs / 20_000, 6);
  expect(mapping.queueRequests - received).toBeCloseTo(1 + 3, 6);
});

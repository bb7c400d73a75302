import { beforeEach, describe, expect, test } from 'vitest';
import { ArrivalQueue } from '../../../evidence/capacity/arrival-queue.ts';
import type { ClickMessage } from '../../../evidence/capacity/click-source.ts';
import { Mapping, tickMs } from '../../../evidence/capacity/mapping.ts';
import { createRandom } from '../../../evidence/kit/random.ts';

interface Invocation {
  atMs: number;
  batch: ClickMessage[];
  receivedMs: number;
  done: () => void;
}

const settings = { batchSize: 10, batchWindowMs: 0, maximumConcurrency: 1_000 };
const minuteMs = 60_000;

let nowMs: number;
let queue: ArrivalQueue;
let invocations: Invocation[];

beforeEach(() => {
  nowMs = 0;
  invocations = [];
  queue = new ArrivalQueue({
    now: () => nowMs,
    makeMessage: (sentMs) => ({ id: '', body: '', sentMs, receiveCount: 0 }),
    ...{ visibilityTimeoutMs: 30_000, maxReceiveCount: 3 },
  });
});

function createMapping(changes: Partial<typeof settings> = {}, bytes = 1_000): Mapping {
  const time = {
    get nowMs() {
      return nowMs;
    },
    after: () => expect.unreachable('the mapping is called every tick'),
  };
  return new Mapping({
    ...{ queue, time, random: createRandom(1), settings: { ...settings, ...changes } },
    recordBytes: () => bytes,
    invoke: (batch, receivedMs, done) => {
      invocations.push({ atMs: nowMs, batch, receivedMs, done });
    },
  });
}

/** Looks at the queue every tick for so long, and sends so many messages before each tick. */
function pass(mapping: Mapping, forMs: number, arriving = 0): void {
  const endMs = nowMs + forMs;
  while (nowMs < endMs) {
    queue.arrive(arriving);
    mapping.tick();
    nowMs += tickMs;
  }
}

const sizes = () => invocations.map(({ batch }) => batch.length);

describe('concurrency', () => {
  const backlog = 100_000;

  test('starts with five batches', () => {
    const mapping = createMapping();
    queue.arrive(backlog);

    mapping.tick();

    expect(mapping.running).toBe(5);
  });

  test('starts with fewer where the stage permits fewer', () => {
    const mapping = createMapping({ maximumConcurrency: 2 });
    queue.arrive(backlog);

    pass(mapping, minuteMs);

    expect(mapping.running).toBe(2);
  });

  test('grows by 300 a minute while messages wait', () => {
    const mapping = createMapping();
    queue.arrive(backlog);

    pass(mapping, minuteMs);
    const afterOne = mapping.running;
    pass(mapping, minuteMs);

    expect(afterOne).toBeGreaterThanOrEqual(303);
    expect(afterOne).toBeLessThanOrEqual(305);
    expect(mapping.running).toBeGreaterThanOrEqual(603);
    expect(mapping.running).toBeLessThanOrEqual(605);
  });

  test('stops at the most that the stage permits', () => {
    const mapping = createMapping({ maximumConcurrency: 20 });
    queue.arrive(backlog);

    pass(mapping, minuteMs);

    expect(mapping.running).toBe(20);
  });

  test('stops at 1,250 batches, whatever the stage permits', () => {
    const mapping = createMapping({ maximumConcurrency: 2_000 });
    queue.arrive(backlog);

    pass(mapping, 5 * minuteMs);

    expect(mapping.running).toBe(1_250);
  });

  test('does not grow while none wait', () => {
    const mapping = createMapping();

    pass(mapping, minuteMs);
    queue.arrive(backlog);
    mapping.tick();

    expect(mapping.running).toBe(5);
  });

  test('goes back to five after a calm minute, by one a second', () => {
    const mapping = createMapping();
    queue.arrive(backlog);
    pass(mapping, 20_000);
    queue.receive(backlog);
    for (const { done } of invocations) done();

    pass(mapping, minuteMs);
    const afterMinute = countPollers(mapping);
    pass(mapping, 50_000);
    const shrinking = countPollers(mapping);
    pass(mapping, 2 * minuteMs);
    const atLast = countPollers(mapping);

    // Five, and the 100 of twenty seconds; less those of fifty seconds.
    expect(afterMinute).toBeCloseTo(105, -1);
    expect(shrinking).toBeCloseTo(55, -1);
    expect(atLast).toBe(5);
  });

  test('shrinks by pollers that have no messages', () => {
    const mapping = createMapping({ batchSize: 10_000, batchWindowMs: 2 * minuteMs }, 100);
    queue.arrive(200_000);
    pass(mapping, 20_000);
    const received = queue.inFlight;
    queue.receive(200_000);

    pass(mapping, 3 * minuteMs);

    expect(received).toBeGreaterThan(0);
    expect(sizes().reduce((sum, size) => sum + size, 0)).toBe(received);
  });

  /** How many ask the queue while it is empty, each every 20 seconds. */
  function countPollers(mapping: Mapping): number {
    const before = mapping.queueRequests;
    pass(mapping, tickMs);
    return Math.round(((mapping.queueRequests - before) * 20_000) / tickMs);
  }

  test('a batch that is done makes place for another', () => {
    const mapping = createMapping({ maximumConcurrency: 1 });
    queue.arrive(15);
    mapping.tick();
    mapping.tick();
    const started = sizes();

    invocations[0]?.done();
    mapping.tick();

    expect(started).toEqual([10]);
    expect(sizes()).toEqual([10, 5]);
    expect(mapping.running).toBe(1);
  });
});

describe('a batch', () => {
  const single = { maximumConcurrency: 1 };

  test('closes when it is full', () => {
    const mapping = createMapping({ ...single, batchWindowMs: 5_000 });

    pass(mapping, 100, 5);

    expect(sizes()).toEqual([10]);
    expect(invocations[0]?.atMs).toBe(20);
  });

  test('closes when its window, which began with its first message, is over', () => {
    const mapping = createMapping({ ...single, batchWindowMs: 500 });
    pass(mapping, 1_000);
    queue.arrive(1);
    pass(mapping, 300);
    queue.arrive(1);

    pass(mapping, 1_000);

    expect(sizes()).toEqual([2]);
    expect(invocations[0]).toMatchObject({ receivedMs: 1_000, atMs: 1_500 });
  });

  test('without a window, closes as soon as it has a message', () => {
    const mapping = createMapping(single);
    pass(mapping, 100);
    queue.arrive(3);

    mapping.tick();

    expect(sizes()).toEqual([3]);
    expect(invocations[0]?.atMs).toBe(100);
  });

  test('closes before its records are more than 6 MB', () => {
    const mapping = createMapping({ ...single, batchSize: 10_000, batchWindowMs: 60_000 }, 10_000);
    queue.arrive(10_000);

    pass(mapping, 1_000);

    // 6 × 1,048,576 bytes ÷ 10,000 bytes
    expect(sizes()).toEqual([629]);
  });

  test('takes in 100 messages a tick, which is 5,000 a second', () => {
    const mapping = createMapping({ ...single, batchSize: 10_000, batchWindowMs: 1_000 });
    queue.arrive(10_000);

    mapping.tick();
    const first = queue.inFlight;
    nowMs += tickMs;
    mapping.tick();

    expect(first).toBe(100);
    expect(queue.inFlight).toBe(200);
  });

  test('gets as many messages as those that gather beside it', () => {
    const mapping = createMapping({ batchSize: 1_000 });
    queue.arrive(52);

    mapping.tick();

    expect(sizes().toSorted()).toEqual([10, 10, 10, 11, 11]);
  });
});

test('no more than 120,000 messages are in flight', () => {
  const mapping = createMapping({ batchSize: 10_000, batchWindowMs: minuteMs }, 100);
  queue.arrive(200_000);

  // None of the batches ends, and there is place for more.
  pass(mapping, 2 * minuteMs);

  expect(queue.inFlight).toBe(120_000);
});

describe('requests to the queue', () => {
  const idle = (pollers: number, ticks: number) => (pollers * ticks * tickMs) / 20_000;

  test('a poller without messages asks every 20 seconds', () => {
    const mapping = createMapping();

    pass(mapping, minuteMs);

    expect(mapping.queueRequests).toBeCloseTo(15, 6);
  });

  test.each([
    [1, 1],
    [10, 1],
    [11, 2],
    [95, 10],
  ])('%d messages are received with %d requests', (messages, requests) => {
    const mapping = createMapping({ maximumConcurrency: 1, batchSize: 1_000 });
    queue.arrive(messages);

    mapping.tick();

    expect(mapping.queueRequests).toBeCloseTo(requests + idle(1, 1), 6);
  });

  test('ten messages of a batch are deleted with one request', () => {
    const mapping = createMapping();

    mapping.noteDeleted(10);
    mapping.noteDeleted(21);
    mapping.noteDeleted(0);

    expect(mapping.queueRequests).toBe(1 + 3);
  });
});

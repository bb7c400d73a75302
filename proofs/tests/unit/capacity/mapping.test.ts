import { beforeEach, describe, expect, test } from 'vitest';
import { tickMs } from '../../../capacity/mapping.ts';
import { MappingWorld } from '../../helpers/mapping-world.ts';

const minuteMs = 60_000;

let world: MappingWorld;

beforeEach(() => {
  world = new MappingWorld();
});

describe('a batch', () => {
  const single = { maximumConcurrency: 1 };

  test('closes when it is full', () => {
    const mapping = world.createMapping({ ...single, batchWindowMs: 5_000 });

    world.pass(mapping, 100, 5);

    expect(world.sizes()).toEqual([10]);
    expect(world.invocations[0]?.atMs).toBe(20);
  });

  test('closes at the end of its window, which starts with its first message', () => {
    const mapping = world.createMapping({ ...single, batchWindowMs: 500 });
    world.arrive(1);
    world.pass(mapping, 1_000);
    world.invocations[0]?.done();
    world.arrive(1);
    world.pass(mapping, 300);
    world.arrive(1);

    world.pass(mapping, 1_000);

    expect(world.sizes()).toEqual([1, 2]);
    expect(world.invocations[1]).toMatchObject({ receivedMs: 1_000, atMs: 1_500 });
  });

  test('closes before it exceeds 6 MB', () => {
    const mapping = world.createMapping(
      { ...single, batchSize: 10_000, batchWindowMs: 60_000 },
      10_000,
    );
    world.arrive(10_000);

    world.pass(mapping, 1_000);

    // 6 × 1,048,576 bytes ÷ 10,000 bytes
    expect(world.sizes()).toEqual([629]);
  });

  test('receives 100 messages a tick, which is 5,000 a second', () => {
    const mapping = world.createMapping({ ...single, batchSize: 10_000, batchWindowMs: 1_000 });
    world.arrive(10_000);

    mapping.tick();
    const first = world.queue.inFlight;
    world.nowMs += tickMs;
    mapping.tick();

    expect(first).toBe(100);
    expect(world.queue.inFlight).toBe(200);
  });

  test('gets the same number of messages as concurrent batches', () => {
    const mapping = world.createMapping({ batchSize: 1_000 });
    world.arrive(52);

    mapping.tick();

    expect(world.sizes().toSorted()).toEqual([10, 10, 10, 11, 11]);
  });
});

test('no more than 120,000 messages are in flight', () => {
  const mapping = world.createMapping({ batchSize: 10_000, batchWindowMs: minuteMs }, 100);
  world.arrive(200_000);

  // No batch ends, and there is room for more.
  world.pass(mapping, 2 * minuteMs);

  expect(world.queue.inFlight).toBe(120_000);
});

describe('requests to the queue', () => {
  const idle = (pollers: number, ticks: number) => (pollers * ticks * tickMs) / 20_000;

  test('a poller without messages asks every 20 seconds', () => {
    const mapping = world.createMapping();

    world.pass(mapping, minuteMs);

    expect(mapping.queueRequests).toBeCloseTo(15, 6);
  });

  test.each([
    [1, 1],
    [10, 1],
    [11, 2],
    [95, 10],
  ])('%d messages are received with %d requests', (messages, requests) => {
    const mapping = world.createMapping({ maximumConcurrency: 1, batchSize: 1_000 });
    world.arrive(messages);

    mapping.tick();

    expect(mapping.queueRequests).toBeCloseTo(requests + idle(1, 1), 6);
  });

  test("ten of a batch's messages are deleted with one request", () => {
    const mapping = world.createMapping();

    mapping.noteDeleted(10);
    mapping.noteDeleted(21);
    mapping.noteDeleted(0);

    expect(mapping.queueRequests).toBe(1 + 3);
  });
});

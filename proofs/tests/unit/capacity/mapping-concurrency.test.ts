import { beforeEach, expect, test } from 'vitest';
import { type Mapping, tickMs } from '../../../capacity/mapping.ts';
import { MappingWorld } from '../../helpers/mapping-world.ts';

const backlog = 100_000;
const minuteMs = 60_000;

let world: MappingWorld;

beforeEach(() => {
  world = new MappingWorld();
});

test('a mapping starts with five batches', () => {
  const mapping = world.createMapping();
  world.arrive(backlog);

  mapping.tick();

  expect(mapping.running).toBe(5);
});

test('a mapping grows by 300 batches a minute while messages wait', () => {
  const mapping = world.createMapping();
  world.arrive(backlog);

  world.pass(mapping, minuteMs);
  const afterOne = mapping.running;
  world.pass(mapping, minuteMs);

  expect(afterOne).toBeGreaterThanOrEqual(303);
  expect(afterOne).toBeLessThanOrEqual(305);
  expect(mapping.running).toBeGreaterThanOrEqual(603);
  expect(mapping.running).toBeLessThanOrEqual(605);
});

test("a mapping grows to at most the stage's maximum concurrency", () => {
  const mapping = world.createMapping({ maximumConcurrency: 20 });
  world.arrive(backlog);

  world.pass(mapping, minuteMs);

  expect(mapping.running).toBe(20);
});

test("a mapping grows to at most 1,250 batches, even if the stage's maximum is higher", () => {
  const mapping = world.createMapping({ maximumConcurrency: 2_000 });
  world.arrive(backlog);

  world.pass(mapping, 5 * minuteMs);

  expect(mapping.running).toBe(1_250);
});

test('a mapping shrinks to five batches by one a second, after a minute without messages', () => {
  const mapping = world.createMapping();
  world.arrive(backlog);
  world.pass(mapping, 20_000);
  world.queue.receive(backlog);
  for (const { done } of world.invocations) done();

  world.pass(mapping, minuteMs);
  const afterMinute = countPollers(mapping);
  world.pass(mapping, 50_000);
  const shrinking = countPollers(mapping);
  world.pass(mapping, 2 * minuteMs);
  const atLast = countPollers(mapping);

  // Five plus the 100 of twenty seconds, and then 50 fewer after fifty seconds.
  expect(afterMinute).toBeCloseTo(105, -1);
  expect(shrinking).toBeCloseTo(55, -1);
  expect(atLast).toBe(5);
});

/** The number of pollers of an empty queue, each of which asks every 20 seconds. */
function countPollers(mapping: Mapping): number {
  const before = mapping.queueRequests;
  world.pass(mapping, tickMs);
  return Math.round(((mapping.queueRequests - before) * 20_000) / tickMs);
}

test('a finished batch makes room for another', () => {
  const mapping = world.createMapping({ maximumConcurrency: 1 });
  world.arrive(15);
  mapping.tick();
  mapping.tick();
  const started = world.sizes();

  world.invocations[0]?.done();
  mapping.tick();

  expect(started).toEqual([10]);
  expect(world.sizes()).toEqual([10, 5]);
  expect(mapping.running).toBe(1);
});

import { beforeEach, expect, test } from 'vitest';
import { createRandom } from '../../../../fixtures/random.ts';
import { makeClick } from '../../../simulation/clicks/click.ts';
import { EventSourceMapping } from '../../../simulation/event-source-mapping.ts';
import type { Faults } from '../../../simulation/faults.ts';
import type { InvocationEnd } from '../../../simulation/lambda.ts';
import { Queue } from '../../../simulation/queue.ts';
import type { Sent } from '../../../simulation/sent.ts';
import { Surroundings } from '../../../simulation/surroundings.ts';
import type { VirtualTime } from '../../../simulation/virtual-time.ts';
import { drawFaultFreePlan } from '../../../simulation/world-plan.ts';

const noCode = { load: () => Promise.reject(new Error('expected no instance to start')) };

let time: VirtualTime;
let faults: Faults;
let queue: Queue;
let mapping: EventSourceMapping;
let invocations: { end: (outcome: InvocationEnd) => void }[];
let needless: string[];

beforeEach(() => {
  invocations = [];
  needless = [];
  const surroundings = new Surroundings(drawFaultFreePlan(1), noCode);
  ({ time, faults } = surroundings);
  const { trace } = surroundings;
  queue = new Queue({
    ...{ name: 'message', random: createRandom(1), trace, time, onExpired: () => {} },
    retentionMs: 86_400_000,
    visibilityTimeoutMs: 30_000,
    redeliveryRate: () => 0,
  });
  const invoke = (_invocation: string, _event: unknown, end: (end: InvocationEnd) => void) => {
    invocations.push({ end });
    return 'instance';
  };
  const auditor = {
    onInvoked: () => {},
    isDone: () => false,
    onFaultFreeFailure: ({ click }: Sent) => needless.push(`${click?.id}`),
  };
  mapping = new EventSourceMapping(
    Object.assign(surroundings, { queue, functionOf: () => ({ invoke }), service: { auditor } }),
  );
});

const click = makeClick('click', 'link-0', { at: '2026-05-26T10:00:00Z' });
const send = () => queue.send('{}', { click, sentMs: 0 });
const isInvoked = (count: number) => () => invocations.length === count;

test('a batch that started under faults may fail after they end', async () => {
  send();
  await time.runUntil(isInvoked(1));

  faults.end();
  invocations[0]?.end({ error: 'timeout' });

  expect(needless).toEqual([]);
});

test('a batch that started without faults may not fail', async () => {
  faults.end();
  send();
  await time.runUntil(isInvoked(1));

  invocations[0]?.end({ error: 'timeout' });

  expect(needless).toEqual(['click']);
});

test('a paused mapping starts no batch until it is resumed', async () => {
  mapping.pause();
  send();
  await time.pass(60_000);
  const whilePaused = invocations.length;

  mapping.resume();
  await time.runUntil(isInvoked(1));

  expect(whilePaused).toBe(0);
  expect(invocations).toHaveLength(1);
});

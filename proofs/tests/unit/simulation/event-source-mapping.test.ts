import { beforeEach, expect, test } from 'vitest';
import { createRandom } from '../../../../fixtures/random.ts';
import { EventSourceMapping } from '../../../simulation/event-source-mapping.ts';
import { Faults } from '../../../simulation/faults.ts';
import type { LambdaFunction, Outcome } from '../../../simulation/lambda.ts';
import { type Message, Queue } from '../../../simulation/queue.ts';
import { readSettings } from '../../../simulation/settings.ts';
import { Statistics } from '../../../simulation/statistics.ts';
import { Trace } from '../../../simulation/trace.ts';
import { VirtualTime } from '../../../simulation/virtual-time.ts';
import { drawPlan } from '../../../simulation/world-plan.ts';

let time: VirtualTime;
let faults: Faults;
let queue: Queue;
let mapping: EventSourceMapping;
let invocations: { end: (outcome: Outcome) => void }[];
let needless: string[];

beforeEach(() => {
  time = new VirtualTime(0);
  invocations = [];
  needless = [];
  const random = createRandom(1);
  const trace = new Trace(() => 0);
  const statistics = new Statistics();
  const now = () => time.nowMs;
  const plan = { ...drawPlan(1), failureRate: 0, outages: [] };
  faults = new Faults({ plan, now, statistics, trace });
  queue = new Queue({
    ...{ name: 'message', random, trace, now, onExpired: () => {} },
    after: (delayMs, action) => void time.after(delayMs, action),
    retentionMs: 86_400_000,
    visibilityTimeoutMs: 30_000,
    redeliveryRate: () => 0,
  });
  const aggregator = {
    invoke: (_invocation: string, _event: unknown, end: (outcome: Outcome) => void) => {
      invocations.push({ end });
      return 'instance';
    },
  } as unknown as LambdaFunction;
  mapping = new EventSourceMapping({
    ...{ queue, aggregator, time, random, faults, statistics, trace },
    settings: readSettings()[0] ?? expect.fail('expected a stage'),
    onDelivered: () => {},
    onInvoked: () => {},
    onFaultFreeFailure: ({ id }: Message) => needless.push(id),
  });
});

const send = () => queue.send('{}', { sentMs: 0 });
const isInvoked = (count: number) => () => invocations.length === count;

test('a batch that began under faults may fail after they are over', async () => {
  send();
  await time.runUntil(isInvoked(1));

  faults.end();
  invocations[0]?.end({ error: 'timeout' });

  expect(needless).toEqual([]);
});

test('a batch that began without faults may not fail', async () => {
  faults.end();
  const id = send();
  await time.runUntil(isInvoked(1));

  invocations[0]?.end({ error: 'timeout' });

  expect(needless).toEqual([id]);
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

import type { DynamoDBStreamEvent } from 'aws-lambda';
import { beforeEach, expect, test } from 'vitest';
import type { Item } from '../../../../fixtures/dynamodb-items.ts';
import { keyOf } from '../../../simulation/dynamodb/item-store.ts';
import type { InvocationEnd } from '../../../simulation/lambda.ts';
import { ChangeStream } from '../../../simulation/live/change-stream.ts';
import { Surroundings } from '../../../simulation/surroundings.ts';
import type { VirtualTime } from '../../../simulation/virtual-time.ts';
import { drawFaultFreePlan } from '../../../simulation/world-plan.ts';

const settings = {
  ...{ batchSize: 10, functionTimeoutMs: 15_000, reportsBatchItemFailures: true, bisects: true },
  ...{ maxRetries: 2, maxAgeMs: 60_000, eventNames: ['INSERT', 'MODIFY'], keyPrefixes: ['LINK#'] },
};

const noCode = { load: () => Promise.reject(new Error('expected no instance to start')) };

let time: VirtualTime;
let stream: ChangeStream;
/** Each invocation's records, and a function that ends it. */
let invocations: { clicks: (string | undefined)[]; sequences: string[]; end: Answer }[];

type Answer = (outcome: InvocationEnd) => void;

beforeEach(() => {
  invocations = [];
  const plan = drawFaultFreePlan(1);
  const push = { ...plan.push, state: 'works' as const, shards: 1, duplicateRate: 0 };
  const surroundings = new Surroundings({ ...plan, push }, noCode);
  const invoke = (_invocation: string, event: unknown, end: Answer) => {
    const { Records } = event as DynamoDBStreamEvent;
    const clicks = Records.map(({ dynamodb }) => dynamodb?.NewImage?.clicks?.N);
    const sequences = Records.map(({ dynamodb }) => `${dynamodb?.SequenceNumber}`);
    invocations.push({ clicks, sequences, end });
    return 'instance';
  };
  time = surroundings.time;
  stream = new ChangeStream(surroundings, {
    ...{ settings, pusher: { invoke }, auditor: { onInvoked: () => {}, onAnswered: () => {} } },
  });
});

const change = (PK: string, clicks: number) => {
  const after: Item = { PK: { S: PK }, SK: { S: 'META' }, clicks: { N: `${clicks}` } };
  stream.onCommit([{ key: keyOf(after), before: after, after }]);
};
const poison = () => stream.poison({ PK: { S: 'LINK#poison' }, SK: { S: 'META' } });
const next = async () => {
  const count = invocations.length;
  await time.runUntil(() => invocations.length > count || stream.isIdle);
  return invocations.at(count);
};
const done = { answer: { batchItemFailures: [] } };
const failed = (itemIdentifier = '') => ({ answer: { batchItemFailures: [{ itemIdentifier }] } });

test('only changes of links are delivered, in batches and in order', async () => {
  change('LINK#a', 1);
  change('CLICK#x', 2);
  change('LINK#a', 3);

  const batch = await next();

  expect(batch?.clicks).toEqual(['1', '3']);
});

test('a shard has one invocation at a time', async () => {
  change('LINK#a', 1);
  const batch = await next();
  change('LINK#a', 2);
  await time.pass(10_000);
  const meanwhile = invocations.length;

  batch?.end(done);

  expect(meanwhile).toBe(1);
  expect((await next())?.clicks).toEqual(['2']);
});

test('a batch is retried from its failed record on', async () => {
  change('LINK#a', 1);
  poison();
  change('LINK#a', 3);
  const batch = await next();

  batch?.end(failed(batch.sequences[1]));

  expect((await next())?.clicks).toEqual([undefined, '3']);
});

test('an unreadable record is isolated and tried three times, and does not block others', async () => {
  poison();
  change('LINK#a', 2);
  const seen: unknown[] = [];
  for (let batch = await next(); batch; batch = await next()) {
    seen.push(batch.clicks);
    batch.end(batch.clicks[0] === undefined ? failed(batch.sequences[0]) : done);
  }

  expect(seen).toEqual([[undefined, '2'], [undefined], [undefined], [undefined], ['2']]);
});

test('a failed invocation or an unknown record in its response fails the whole batch', async () => {
  for (const outcome of [{ error: 'timeout' }, failed('unknown')]) {
    change('LINK#a', 1);
    change('LINK#a', 2);
    (await next())?.end(outcome);
    const halves = [await next()];
    halves[0]?.end(done);
    halves.push(await next());
    halves[1]?.end(done);

    expect(halves.map((half) => half?.clicks)).toEqual([['1'], ['2']]);
  }
});

test('changes are given up after a minute', async () => {
  change('LINK#a', 1);
  const batch = await next();
  change('LINK#a', 2);
  await time.pass(60_001);
  batch?.end({ error: 'timeout' });
  change('LINK#a', 3);

  expect((await next())?.clicks).toEqual(['3']);
});

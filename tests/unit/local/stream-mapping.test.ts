import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { startStreamMapping } from '../../../local/stack/stream-mapping.ts';

const wait = { timeout: 10_000, interval: 20 };
const streamArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/Any/stream/now';

interface FakeShard {
  parent?: string;
  /** Sequence numbers. */
  records: number[];
  isClosed?: boolean;
}

let shards: Record<string, FakeShard>;
let streams: DynamoDBStreamsClient;
let invoke: ReturnType<typeof vi.fn<(event: DynamoDBStreamEvent) => Promise<string>>>;
let onError: ReturnType<typeof vi.fn<(error: Error) => void>>;
/** Thrown by the next GetRecords. */
let readError: Error | undefined;
let cleanup: AsyncDisposableStack;

beforeEach(() => {
  cleanup = new AsyncDisposableStack();
  shards = {};
  readError = undefined;
  invoke = vi.fn(async () => '');
  onError = vi.fn();
  streams = new DynamoDBStreamsClient(localClientConfig('http://127.0.0.1:1'));
  vi.spyOn(streams, 'send').mockImplementation(answer);
});

afterEach(() => cleanup.disposeAsync());

/** Answers as DynamoDB Streams does. An iterator is a shard and an index, such as `a 2`. */
async function answer(command: object): Promise<object> {
  if (command instanceof DescribeStreamCommand) {
    // One shard a page.
    const ids = Object.keys(shards);
    const index = ids.indexOf(command.input.ExclusiveStartShardId ?? '') + 1;
    const ShardId = ids[index];
    const Shards = ShardId ? [{ ShardId, ParentShardId: shards[ShardId]?.parent }] : [];
    const LastEvaluatedShardId = index < ids.length - 1 ? ShardId : undefined;
    return { StreamDescription: { Shards, LastEvaluatedShardId } };
  }
  if (command instanceof GetShardIteratorCommand) {
    const { ShardId = '', ShardIteratorType, SequenceNumber } = command.input;
    const { records = [] } = shards[ShardId] ?? {};
    const index = {
      LATEST: records.length,
      TRIM_HORIZON: 0,
      AT_SEQUENCE_NUMBER: records.indexOf(Number(SequenceNumber)),
      AFTER_SEQUENCE_NUMBER: records.indexOf(Number(SequenceNumber)) + 1,
    };
    return { ShardIterator: `${ShardId} ${index[ShardIteratorType ?? 'LATEST']}` };
  }
  if (!(command instanceof GetRecordsCommand)) throw new Error('unexpected command');
  if (readError) {
    const error = readError;
    readError = undefined;
    throw error;
  }
  const [id = '', start] = (command.input.ShardIterator ?? '').split(' ');
  const end = Number(start) + Number(command.input.Limit);
  const { records = [], isClosed } = shards[id] ?? {};
  const Records = records.slice(Number(start), end).map((number) => ({
    eventName: 'MODIFY',
    dynamodb: { SequenceNumber: `${number}` },
  }));
  const isEnd = isClosed && end >= records.length;
  const NextShardIterator = isEnd ? undefined : `${id} ${Number(start) + Records.length}`;
  return { Records, NextShardIterator };
}

async function start(changes: object = {}): Promise<void> {
  const mapping = {
    EventSourceArn: streamArn,
    FunctionName: 'any',
    BatchSize: 2,
    MaximumBatchingWindowInSeconds: 0,
    StartingPosition: 'LATEST',
    ...changes,
  };
  const started = await startStreamMapping({ mapping, streams, streamArn, invoke, onError });
  cleanup.defer(started.stop);
}

/** The sequence numbers of each batch that the function got. */
function batches(): string[][] {
  return invoke.mock.calls.map(([{ Records }]) =>
    Records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? ''),
  );
}

test('from LATEST, only later changes come, in batches', async () => {
  shards.a = { records: [1] };
  await start();

  shards.a.records.push(2, 3, 4);

  await expect.poll(batches, wait).toEqual([['2', '3'], ['4']]);
});

test('from TRIM_HORIZON, all changes come', async () => {
  shards.a = { records: [1] };

  await start({ StartingPosition: 'TRIM_HORIZON' });

  await expect.poll(batches, wait).toEqual([['1']]);
});

test('a shard has one batch at a time, and a new shard comes whole, after its parent', async () => {
  shards.a = { records: [] };
  await start();
  let finish = (_response: string) => {};
  invoke.mockImplementationOnce(() => new Promise((resolve) => (finish = resolve)));

  Object.assign(shards.a, { records: [1, 2, 3], isClosed: true });
  shards.b = { parent: 'a', records: [4] };
  shards.other = { records: [5] };

  // While the function has a batch of a, only the shard without a parent goes on.
  await expect.poll(batches, wait).toEqual([['1', '2'], ['5']]);
  finish('');
  await expect.poll(batches, wait).toEqual([['1', '2'], ['5'], ['3'], ['4']]);
});

test('a batch waits for more until its window has passed, even if a read fails', async () => {
  shards.a = { records: [] };
  await start({ BatchSize: 10, MaximumBatchingWindowInSeconds: 1 });

  shards.a.records.push(1);
  const { mock } = vi.mocked(streams.send);
  const calls = mock.calls.length;
  await expect.poll(() => mock.calls.length, wait).toBeGreaterThan(calls + 1);
  readError = new Error('any');
  await expect.poll(() => readError, wait).toBeUndefined();
  shards.a.records.push(2);

  await expect.poll(batches, wait).toEqual([['1', '2']]);
});

test.each([
  ['goes on behind the last record that was read', 'ExpiredIteratorException', ['1', '2', '3']],
  ['starts at the oldest record there is', 'TrimmedDataAccessException', ['1', '1', '2', '3']],
])('after a failed read it %s', async (_, name, expected) => {
  shards.a = { records: [] };
  await start();
  shards.a.records.push(1);
  await expect.poll(batches, wait).toEqual([['1']]);

  readError = Object.assign(new Error(name), { name });
  await expect.poll(() => readError, wait).toBeUndefined();
  shards.a.records.push(2, 3);

  await expect.poll(() => batches().flat(), wait).toEqual(expected);
  expect(onError.mock.calls).toEqual([[expect.objectContaining({ message: name })]]);
});

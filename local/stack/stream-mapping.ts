import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorInput,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { region } from '../../loopback/local-aws.ts';
import type { Stoppable } from '../../loopback/stoppable.ts';
import { findFailedIds } from '../engines/batch-response.ts';
import { type EventPattern, matches } from '../engines/event-pattern.ts';
import type { ResourceProperties } from '../engines/template.ts';

// Lambda polls each shard four times a second.
const pollMs = 250;
const retryMs = 1_000;

export interface FunctionMapping {
  mapping: ResourceProperties['AWS::Lambda::EventSourceMapping'];
  /** Returns the function's response. Throws if the invocation failed. */
  invoke(event: object): Promise<string>;
  onError(error: Error): void;
}

interface StreamMapping extends FunctionMapping {
  streams: DynamoDBStreamsClient;
  streamArn: string;
}

interface Running extends StreamMapping {
  isWanted(event: object): boolean;
  signal: AbortSignal;
  /** Ends early when the mapping stops. */
  wait(ms: number): Promise<void>;
}

type Place = Pick<GetShardIteratorInput, 'ShardIteratorType' | 'SequenceNumber'>;

/**
 * Stands in for Lambda's event source mapping of a DynamoDB stream: reads each shard, filters its
 * records, and invokes the function with one batch of a shard at a time. A shard has children only
 * once it ends, so an item's changes arrive in order. The stream is as new as the stack, so every
 * starting position means its beginning.
 */
export async function startStreamMapping(options: StreamMapping): Promise<Stoppable> {
  const controller = new AbortController();
  const { signal } = controller;
  const { Filters = [{ Pattern: '{}' }] } = options.mapping.FilterCriteria ?? {};
  const patterns = Filters.map(({ Pattern }): EventPattern => JSON.parse(Pattern));
  const running: Running = {
    ...options,
    signal,
    isWanted: (event) => patterns.some((pattern) => matches(pattern, event)),
    onError: (error) => void (signal.aborted || options.onError(error)),
    // An abort rejects, and every caller checks the signal.
    wait: (ms) => sleep(ms, undefined, { signal }).catch(() => undefined),
  };
  await followShards(running);
  return { stop: async () => controller.abort() };
}

/** Follows each shard that isn't known yet. A local stream has few, so they fit into one answer. */
async function followShards(running: Running, known = new Set<string>()): Promise<void> {
  const { streams, streamArn, signal } = running;
  const command = new DescribeStreamCommand({ StreamArn: streamArn });
  const { StreamDescription } = await streams.send(command, { abortSignal: signal });
  for (const { ShardId: id = '' } of StreamDescription?.Shards ?? []) {
    if (known.has(id)) continue;
    known.add(id);
    followShard(running, id).then(() => followShards(running, known).catch(running.onError));
  }
}

async function getIterator({ streams, streamArn, signal }: Running, ShardId: string, at: Place) {
  const command = new GetShardIteratorCommand({ StreamArn: streamArn, ShardId, ...at });
  return (await streams.send(command, { abortSignal: signal })).ShardIterator;
}

/** Delivers the records of a shard, batch by batch, until the shard ends or the mapping stops. */
async function followShard(running: Running, id: string): Promise<void> {
  const { mapping, streams, streamArn, isWanted, onError, wait, signal } = running;
  const Limit = mapping.BatchSize;
  const pauseMs = Math.max(pollMs, (mapping.MaximumBatchingWindowInSeconds ?? 0) * 1_000);
  let place: Place = { ShardIteratorType: 'TRIM_HORIZON' };
  let iterator: string | undefined;
  while (!signal.aborted) {
    try {
      iterator ??= await getIterator(running, id, place);
      const command = new GetRecordsCommand({ ShardIterator: iterator, Limit });
      const answer = await streams.send(command, { abortSignal: signal });
      const { Records = [], NextShardIterator } = answer;
      const SequenceNumber = Records.at(-1)?.dynamodb?.SequenceNumber;
      if (SequenceNumber) place = { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber };
      const events = Records.map((record) => toEventRecord(record, streamArn));
      await deliverBatch(running, events.filter(isWanted));
      iterator = NextShardIterator;
      if (iterator === undefined) return;
      if (Records.length < Limit) await wait(pauseMs);
    } catch (error) {
      iterator = undefined;
      const isLost = (error as Error).name === 'TrimmedDataAccessException';
      if (isLost) place = { ShardIteratorType: 'TRIM_HORIZON' };
      onError(error as Error);
      await wait(pauseMs);
    }
  }
}

/** Converts a record into the one that Lambda passes to a function. Its attributes aren't binary. */
function toEventRecord(record: StreamRecord, eventSourceARN: string): DynamoDBRecord {
  const { ApproximateCreationDateTime: createdAt, ...change } = record.dynamodb ?? {};
  const seconds = Math.floor((createdAt?.getTime() ?? 0) / 1_000);
  const dynamodb = { ...change, ApproximateCreationDateTime: seconds };
  const { eventID, eventName, eventVersion } = record;
  const source = { eventSource: 'aws:dynamodb', awsRegion: region, eventSourceARN };
  return { eventID, eventName, eventVersion, ...source, dynamodb } as DynamoDBRecord;
}

/**
 * Delivers a batch. After a failure, it continues at the first failed record, as Lambda does. Lambda
 * would also split a batch that fails again and again; this retries it until it is too old. The
 * records' own times can't be used, because DynamoDB Local rounds them to minutes.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
async function deliverBatch(running: Running, batch: DynamoDBRecord[]): Promise<void> {
  const { mapping, invoke, onError, wait, signal } = running;
  const deadlineMs = Date.now() + mapping.MaximumRecordAgeInSeconds * 1_000;
  let rest = batch;
  while (rest.length > 0 && !signal.aborted) {
    const ids = rest.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');
    const failed = await invoke({ Records: rest }).then(
      (response) => findFailedIds(response, ids),
      (error) => {
        onError(error);
        return new Set(ids);
      },
    );
    const done = ids.findIndex((id) => failed.has(id));
    if (done === -1) return;
    rest = rest.slice(done);
    if (Date.now() >= deadlineMs) {
      return onError(new Error(`Gave up on ${rest.length} records of a stream: they are too old.`));
    }
    await wait(retryMs);
  }
}

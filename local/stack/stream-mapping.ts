import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBStreamsClient, ShardIteratorType } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Stoppable } from '../../cli/loopback/stoppable.ts';
import { toEventRecord } from '../engines/stream-event.ts';
import type { ResourceProperties } from '../engines/template.ts';
import { compileFilter } from './event-filter.ts';
import { type Delivery, deliverBatch } from './stream-delivery.ts';
import { listShards, openShard, type ShardReader } from './stream-shards.ts';

// Lambda polls each shard four times a second.
const pollMs = 250;
const discoveryMs = 1_000;
const startingPositions: ShardIteratorType[] = ['LATEST', 'TRIM_HORIZON'];

type MappingProperties = ResourceProperties['AWS::Lambda::EventSourceMapping'];

interface StreamMappingOptions {
  mapping: MappingProperties;
  streams: DynamoDBStreamsClient;
  streamArn: string;
  /** Returns the function's response. Throws if the invocation failed. */
  invoke(event: DynamoDBStreamEvent): Promise<string>;
  onError(error: Error): void;
}

interface ShardOptions {
  mapping: MappingProperties;
  streamArn: string;
  matches: (event: unknown) => boolean;
  delivery: Delivery;
}

/**
 * Stands in for Lambda's event source mapping of a DynamoDB stream: reads each shard, filters its
 * records, gathers a batch, and invokes the function with one batch of a shard at a time. A shard
 * waits until its parent ends, so an item's changes arrive in order. Resolves once it has a
 * position in each shard, so it doesn't miss later changes.
 * @throws Error if the template uses a setting that the local stack doesn't support.
 */
export async function startStreamMapping(options: StreamMappingOptions): Promise<Stoppable> {
  const { mapping, streams, streamArn, invoke } = options;
  const controller = new AbortController();
  const { signal } = controller;
  const onError = (error: Error) => {
    if (!signal.aborted) options.onError(error);
  };
  const wait = (ms: number) => waitUnlessAborted(ms, signal);
  const maxAgeMs = mapping.MaximumRecordAgeInSeconds * 1000;
  const delivery = { maxAgeMs, invoke, onError, wait, signal };
  const shardOptions = { mapping, streamArn, matches: readFilter(mapping), delivery };

  const stream = { streams, arn: streamArn, signal };
  const followed = new Map<string, Promise<void>>();
  const followNewShards = async (position: ShardIteratorType) => {
    for (const { ShardId: id = '', ParentShardId: parentId = '' } of await listShards(stream)) {
      if (followed.has(id)) continue;
      const reader = await openShard(stream, id, position);
      const parent = followed.get(parentId) ?? Promise.resolve();
      followed.set(
        id,
        parent.then(() => followShard(reader, shardOptions)),
      );
    }
  };
  const followLaterShards = async () => {
    for (;;) {
      await wait(discoveryMs);
      if (signal.aborted) return;
      await followNewShards('TRIM_HORIZON').catch(onError);
    }
  };
  await followNewShards(readPosition(mapping));
  followLaterShards();
  return { stop: async () => controller.abort() };
}

/** Delivers the records of a shard, batch by batch, until the shard ends. */
async function followShard(reader: ShardReader, options: ShardOptions): Promise<void> {
  while (!options.delivery.signal.aborted) {
    const { batch, ended } = await gatherBatch(reader, options);
    if (batch.length > 0) await deliverBatch(batch, options.delivery);
    if (ended) return;
  }
}

/** Gathers matching records until the batch is full or its window has passed. */
async function gatherBatch(
  reader: ShardReader,
  { mapping, streamArn, matches, delivery: { onError, wait, signal } }: ShardOptions,
) {
  const skipFailedRead = (error: Error) => {
    onError(error);
    return { records: [], ended: false };
  };
  const batch: DynamoDBRecord[] = [];
  let deadlineMs = Infinity;
  while (!signal.aborted) {
    const { records, ended } = await reader
      .read(mapping.BatchSize - batch.length)
      .catch(skipFailedRead);
    batch.push(...records.map((record) => toEventRecord(record, streamArn)).filter(matches));
    if (batch.length > 0 && deadlineMs === Infinity) {
      deadlineMs = Date.now() + mapping.MaximumBatchingWindowInSeconds * 1000;
    }
    const isFull = batch.length >= mapping.BatchSize;
    if (ended || isFull || Date.now() >= deadlineMs) return { batch, ended };
    if (records.length === 0) await wait(Math.min(pollMs, deadlineMs - Date.now()));
  }
  return { batch: [], ended: true };
}

function readFilter({ FilterCriteria }: MappingProperties): (event: unknown) => boolean {
  if (!FilterCriteria) return () => true;
  return compileFilter(FilterCriteria.Filters.map(({ Pattern }) => Pattern));
}

function readPosition({ StartingPosition }: MappingProperties): ShardIteratorType {
  const position = startingPositions.find((known) => known === StartingPosition);
  if (position) return position;
  throw new Error(
    `Expected the StartingPosition of a stream to be ${startingPositions.join(' or ')}; got ${StartingPosition}.`,
  );
}

async function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  // An abort rejects, and every caller checks the signal.
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

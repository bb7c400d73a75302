import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
  type ShardIteratorType,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';

/** The limit of one GetRecords call. */
const maxRecords = 1_000;

interface Stream {
  streams: DynamoDBStreamsClient;
  arn: string;
  /** Aborts pending requests. */
  signal: AbortSignal;
}

export interface ShardReader {
  /**
   * Reads up to `limit` records. After an error, the next call continues after the last record that
   * was read. `ended` means that the shard is closed and fully read.
   */
  read(limit: number): Promise<{ records: StreamRecord[]; ended: boolean }>;
}

export async function listShards({ streams, arn, signal }: Stream): Promise<Shard[]> {
  const shards: Shard[] = [];
  let ExclusiveStartShardId: string | undefined;
  do {
    const command = new DescribeStreamCommand({ StreamArn: arn, ExclusiveStartShardId });
    const { StreamDescription } = await streams.send(command, { abortSignal: signal });
    shards.push(...(StreamDescription?.Shards ?? []));
    ExclusiveStartShardId = StreamDescription?.LastEvaluatedShardId;
  } while (ExclusiveStartShardId);
  return shards;
}

/** Returns a reader that starts at the given position in a shard. */
export async function openShard(
  stream: Stream,
  shardId: string,
  start: ShardIteratorType,
): Promise<ShardReader> {
  let lastRead: string | undefined;
  let position = start;
  let iterator = await getIterator(stream, shardId, position);

  const read = async (limit: number) => {
    iterator ??= await getIterator(stream, shardId, position, lastRead);
    const command = new GetRecordsCommand({
      ShardIterator: iterator,
      Limit: Math.min(limit, maxRecords),
    });
    try {
      const options = { abortSignal: stream.signal };
      const { Records = [], NextShardIterator } = await stream.streams.send(command, options);
      iterator = NextShardIterator;
      lastRead = Records.at(-1)?.dynamodb?.SequenceNumber ?? lastRead;
      return { records: Records, ended: NextShardIterator === undefined };
    } catch (error) {
      iterator = undefined;
      if ((error as Error).name === 'TrimmedDataAccessException') {
        [position, lastRead] = ['TRIM_HORIZON', undefined];
      }
      throw error;
    }
  };
  return { read };
}

async function getIterator(
  { streams, arn, signal }: Stream,
  shardId: string,
  position: ShardIteratorType,
  lastRead?: string,
): Promise<string | undefined> {
  const place = lastRead
    ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: lastRead }
    : { ShardIteratorType: position };
  const command = new GetShardIteratorCommand({ StreamArn: arn, ShardId: shardId, ...place });
  return (await streams.send(command, { abortSignal: signal })).ShardIterator;
}

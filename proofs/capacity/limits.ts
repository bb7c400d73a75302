/**
 * Where a figure of the model comes from: AWS's documents, others' measurements, a measurement in this
 * repository, a setting of the service, or nothing better than a reason.
 */
export type Basis = 'AWS' | 'published' | 'measured' | 'service' | 'assumed';

export interface Limit {
  value: number;
  unit: string;
  /** What it limits, as docs/capacity.md says it. */
  title: string;
  basis: Basis;
  /** Its source (an address, or a file of this repository) or, of an assumption, the reason. */
  source: string;
}

const lambdaScaling = 'https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html';
const lambdaQuotas = 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html';
const queueQuotas =
  'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html';
const warmThroughput =
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html';
const busQuotas = 'https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html';

/** What limits a stage on AWS in us-east-1, by default quotas, and what the model assumes. */
export const limits = {
  partitionWriteUnits: {
    value: 1_000,
    unit: 'write units a second',
    title: "a partition of the table, and so one link's items",
    basis: 'AWS',
    source: warmThroughput,
  },
  newTableWriteUnits: {
    value: 4_000,
    unit: 'write units a second',
    title: 'a new on-demand table',
    basis: 'AWS',
    source: warmThroughput,
  },
  growthOverPeak: {
    value: 2,
    unit: 'times the previous peak',
    title: 'what an on-demand table takes at once',
    basis: 'AWS',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html',
  },
  splitAfterSeconds: {
    value: 600,
    unit: 'seconds of throttling',
    title: 'when the table splits its partitions, which doubles them',
    basis: 'assumed',
    source: 'AWS says only that it splits busy partitions after sustained traffic',
  },
  startPollers: {
    value: 5,
    unit: 'concurrent batches',
    title: 'what the event source mapping begins with',
    basis: 'AWS',
    source: lambdaScaling,
  },
  pollersPerMinute: {
    value: 300,
    unit: 'concurrent batches a minute',
    title: 'what the mapping adds while messages wait',
    basis: 'AWS',
    source: lambdaScaling,
  },
  maxPollers: {
    value: 1_250,
    unit: 'concurrent batches',
    title: 'the most that a mapping runs',
    basis: 'AWS',
    source: lambdaScaling,
  },
  pollerMessages: {
    value: 5_000,
    unit: 'messages a second',
    title: 'what the mapping receives for one batch',
    basis: 'assumed',
    source: 'ten requests side by side, each 10 messages in 20 ms; AWS documents no figure',
  },
  batchBytes: {
    value: 6 * 1_024 * 1_024,
    unit: 'bytes',
    title: 'the event of an invocation',
    basis: 'AWS',
    source: lambdaQuotas,
  },
  inFlight: {
    value: 120_000,
    unit: 'messages',
    title: 'received from the queue and not deleted yet',
    basis: 'AWS',
    source: queueQuotas,
  },
  receiveMessages: {
    value: 10,
    unit: 'messages',
    title: 'the most in one request to receive or delete',
    basis: 'AWS',
    source:
      'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html',
  },
  apiRequests: {
    value: 10_000,
    unit: 'requests a second',
    title: 'API Gateway, for an account and region',
    basis: 'AWS',
    source: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html',
  },
  busEntries: {
    value: 10_000,
    unit: 'PutEvents requests a second',
    title: 'EventBridge, for an account; the resolver sends one event in each',
    basis: 'AWS',
    source: busQuotas,
  },
  busDeliveries: {
    value: 18_750,
    unit: 'deliveries a second',
    title: 'EventBridge to targets; above it, deliveries are late, not lost',
    basis: 'AWS',
    source: busQuotas,
  },
  accountConcurrency: {
    value: 1_000,
    unit: 'environments',
    title: 'Lambda, for an account and region',
    basis: 'AWS',
    source: lambdaQuotas,
  },
  transitMs: {
    value: 11,
    unit: 'ms',
    title: 'a request to DynamoDB and its answer on the way',
    basis: 'assumed',
    source: 'part of the published durations, so only its place in time is assumed',
  },
  busMs: {
    value: 130,
    unit: 'ms',
    title: 'from the bus to the queue, added to each lag',
    basis: 'published',
    source: 'the 99th percentile that AWS announced in 2024, from memory',
  },
} as const satisfies Record<string, Limit>;

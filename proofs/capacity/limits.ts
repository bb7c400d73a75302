import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * AWS's default quotas in us-east-1. Each figure is from the AWS page in its comment, unless that says
 * otherwise.
 */
export const limits = {
  /**
   * Write units a second of a table's partition, and so of a link's items. And of a new on-demand
   * table.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html
   */
  partitionWriteUnits: 1_000,
  newTableWriteUnits: 4_000,
  /**
   * Write units a second of a table, until AWS raises it.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
   */
  tableWriteUnits: 40_000,
  /**
   * An on-demand table's immediate capacity, as a multiple of its previous peak.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html
   */
  growthOverPeak: 2,
  /**
   * Autoscaling of a provisioned table: the target in infra/billing.cjs, the consecutive minutes above it,
   * and the minutes until more units are there. AWS says "several"; three are assumed.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/AutoScaling.html
   */
  scalingTarget: 0.7,
  busyMinutes: 2,
  scalingMinutes: 3,
  /**
   * The event source mapping's initial concurrent batches. With a maximum concurrency, it never gathers fewer.
   * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
   */
  startPollers: 5,
  /**
   * Messages a second that the mapping receives for one batch. Assumed: ten concurrent requests for 10
   * messages each in 20 ms. AWS doesn't document it.
   */
  pollerMessages: 5_000,
  /** Maximum size of an invocation's event. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
  batchBytes: 6 * 1_024 * 1_024,
  /**
   * Messages of a queue that are received and not deleted yet.
   * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html
   */
  inFlight: 120_000,
  /**
   * Messages per receive or delete request.
   * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html
   */
  receiveMessages: 10,
  /** Requests of PutEvents a second in a Region. */
  putEventsPerSecond: require('../../infra/put-events-quota.cjs') as (region: string) => number,
  /**
   * Network time of a request to DynamoDB and its answer. It is part of the published durations, so only
   * its split is assumed.
   */
  transitMs: 11,
  /**
   * A request to DynamoDB that isn't a transaction, with its answer. The published p50 of a write from Lambda.
   * https://github.com/alexdebrie/dynamodb-performance-testing#results
   */
  plainRequestMs: 7,
  /** From the bus to the queue, added to each lag. AWS's 99th percentile of 2024, from memory. */
  busMs: 130,
};

/**
 * What limits a click on AWS in us-east-1, by default quotas. Each figure is from the AWS page in its
 * comment, unless that says otherwise.
 */
export const limits = {
  /**
   * Write units a second of a partition of the table, and so of one link's items; and of a new
   * on-demand table.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html
   */
  partitionWriteUnits: 1_000,
  newTableWriteUnits: 4_000,
  /**
   * How many times its previous peak an on-demand table takes at once.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html
   */
  growthOverPeak: 2,
  /**
   * Seconds of throttling after which the table splits its partitions, which doubles them. Assumed: AWS
   * says only that it splits busy partitions after sustained traffic.
   */
  splitAfterSeconds: 600,
  /**
   * Concurrent batches with which the event source mapping begins, which it adds in a minute while
   * messages wait, and of which it has no more.
   * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
   */
  startPollers: 5,
  pollersPerMinute: 300,
  maxPollers: 1_250,
  /**
   * Messages a second that the mapping receives for one batch. Assumed: ten requests side by side, each
   * 10 messages in 20 ms; AWS documents no figure.
   */
  pollerMessages: 5_000,
  /** Of an invocation's event. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
  batchBytes: 6 * 1_024 * 1_024,
  /**
   * Messages that are received from a queue and not deleted yet.
   * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html
   */
  inFlight: 120_000,
  /**
   * Messages in one request to receive or delete.
   * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html
   */
  receiveMessages: 10,
  /**
   * Requests a second to API Gateway, for an account and region.
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
   */
  apiRequests: 10_000,
  /**
   * PutEvents requests a second, for an account; the resolver sends one event in each. And deliveries a
   * second to targets; above it, deliveries are late, not lost.
   * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html
   */
  busEntries: 10_000,
  busDeliveries: 18_750,
  /**
   * Environments of Lambda, for an account and region.
   * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
   */
  accountConcurrency: 1_000,
  /**
   * That a request to DynamoDB and its answer are on the way. It is part of the published durations, so
   * only its place in time is assumed.
   */
  transitMs: 11,
  /** From the bus to the queue, added to each lag: the 99th percentile that AWS announced in 2024, from memory. */
  busMs: 130,
};

/** Assumptions of the costs that are neither measured by the model nor set in the service. */
export const assumptions = {
  /** As in AWS's calculator (https://calculator.aws/), from memory. */
  secondsPerMonth: 730 * 3_600,
  /**
   * How long a click waits for AWS in resolve-link. Assumed: mostly PutEvents, for which no published
   * measurement was found. Rather too high: lib/links/find-link.ts expects 10 ms for a visit.
   */
  resolverWaitSeconds: 0.015,
  /**
   * resolve-link's CPU time for a click on one whole vCPU, between those of a remembered and of a new link in
   * docs/costs-and-speed.md.
   */
  resolverCpuSeconds: 0.0014,
  /** How long resolve-link's environments have had the same traffic before a run. A choice. */
  warmSeconds: 60,
  /** How long an environment of resolve-link caches a URL: lib/links/find-link.ts. */
  urlMemorySeconds: 30,
  /** EventBridge and resolve-link send each click in its own request to SQS, from memory. */
  sendsPerClick: 1,
  /**
   * How long an item stays, and is billed, after its TTL. The maximum is assumed.
   * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ttl-expired-items.html
   */
  secondsAfterTtl: 48 * 3_600,
  /**
   * DynamoDB's overhead for each stored item.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
   */
  itemOverheadBytes: 100,
  /**
   * The share of a log that CloudWatch stores after compression, as AWS's calculator assumes.
   * https://dev.classmethod.jp/articles/compare-archive-cost-cloudwatchlogs-s3/
   */
  storedShareOfLog: 0.15,
  /** Shards of the table's stream with links: the partitions of a new on-demand table, from memory. */
  streamShards: 4,
  /** How often Lambda polls a shard (https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html), from memory. */
  shardPollSeconds: 0.25,
  /**
   * How long push-counts takes for a round of requests: one if the changed links aren't watched, three (the
   * connections, the watchers, a message) if they are. Assumed: a read takes less than a small transaction,
   * which takes 25.3 ms (https://github.com/alexdebrie/dynamodb-performance-testing#results).
   */
  pushSeconds: 0.02,
  watchedPushSeconds: 0.06,
  /** Live pages that are open all day. A choice. */
  openPages: 1,
  /**
   * The share of the clicks that are on a page's links: by Zipf's law, the 25 first of 1,000 links have
   * 51% of the clicks.
   */
  watchedShare: 0.5,
  /** A redirect's answer with its headers, over HTTP/2 and TLS. Assumed: 0.5 to 1 KB. */
  redirectBytes: 750,
};

/** The access log's values for a redirected click, by the format's variables. */
export const accessLogValues: Readonly<Record<string, string>> = {
  'context.requestId': 'JKJaXmPLvHcESHA=',
  'context.routeKey': 'GET /{code}',
  'context.status': '302',
  'context.responseLatency': '24',
  'context.integrationLatency': '22',
  'context.integrationErrorMessage': '-',
  'context.authorizer.error': '-',
};

/** Assumptions of the costs that are neither measured by the model nor set in the service. */
export const assumptions = {
  /** As in AWS's calculator (https://calculator.aws/), from memory. */
  secondsPerMonth: 730 * 3_600,
  /**
   * How long a click waits for AWS in resolve-link. Assumed: mostly PutEvents, for which no published
   * measurement was found. Rather too high: lib/redirect/find-link.ts expects 10 ms for a visit.
   */
  resolverWaitSeconds: 0.015,
  /**
   * resolve-link's CPU time for a click on one whole vCPU, between those of a remembered and of a new link in
   * docs/costs-and-speed.md.
   */
  resolverCpuSeconds: 0.0006,
  /** How long resolve-link's environments have had the same traffic before a run. A choice. */
  warmSeconds: 60,
  /** How long an environment of resolve-link caches a URL: lib/redirect/find-link.ts. */
  urlMemorySeconds: 30,
  /**
   * A provisioned table's mean utilisation. Autoscaling aims at 50% for reads and 70% for writes
   * (infra/billing.cjs), but goes down slowly.
   */
  provisionedUse: { reads: 0.45, writes: 0.6 },
  /** A redirect in the access log, whose format the framework sets. */
  accessLogBytes: 143,
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
   * How long push-counts waits for a round of requests: one if no page is open, two (the connections, the
   * watchers) if one is, and a third for messages. Assumed: a read takes less than a small transaction, which
   * takes 25.3 ms (https://github.com/alexdebrie/dynamodb-performance-testing#results).
   */
  pushRoundSeconds: 0.02,
  /** push-counts' CPU time on one whole vCPU, measured as in cpu.ts: a push, each changed link, a message. */
  pushCpuSeconds: { push: 0.002, link: 0.0007, message: 0.002 },
  pusherMemoryMb: 512,
  /** Metrics of prod's alarms. A test counts them in infra/. */
  alarmMetrics: 23,
  /** ClicksCounted. The others have data points only in hours with duplicates, failures and the like. */
  customMetrics: 1,
  /** A provisioned table's index has these reads and writes (infra/billing.cjs), and four policies four alarms each. */
  indexUnits: 5,
  autoscalingAlarms: 16,
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

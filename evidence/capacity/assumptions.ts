/** What the costs assume where neither the model measures nor a file of the service says it. */
export const assumptions = {
  /** 730 hours, as in AWS's calculator (https://calculator.aws/). From memory, not looked up. */
  secondsPerMonth: 730 * 3_600,

  /**
   * What Lambda bills for a click in resolve-link: mostly the round trip of PutEvents. No published
   * measurement was found. lib/links/read-url.ts expects 10 ms for a visit; this is more, so that the
   * price of the function is rather too high. Cold starts are left out: a busy stage has few.
   */
  resolverSeconds: 0.02,
  /** How long an environment of resolve-link remembers a URL: lib/links/read-url.ts. */
  urlMemorySeconds: 30,

  /**
   * EventBridge and resolve-link send each click by itself, and SQS takes the request of any sender.
   * That it takes EventBridge's is from memory, not looked up.
   */
  sendsPerClick: 1,

  /**
   * An item stays for this long after its TTL, and counts until it is deleted: "typically within two
   * days" (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html,
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ttl-expired-items.html). The
   * longest is assumed.
   */
  secondsAfterTtl: 48 * 3_600,

  /**
   * What DynamoDB adds to each item that it stores
   * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html).
   */
  itemOverheadBytes: 100,

  /**
   * Lambda's sampling for X-Ray, of each traced function by itself: one invocation a second, and 5 %
   * of the others. No rule can change it for a function
   * (https://docs.aws.amazon.com/lambda/latest/dg/services-xray.html). Traces of producers are linked
   * to those of the aggregator, so each function pays for its own
   * (https://docs.aws.amazon.com/xray/latest/devguide/xray-tracelinking.html).
   */
  tracesPerSecond: 1,
  tracedShareOfOthers: 0.05,

  /**
   * CloudWatch stores logs compressed to this share, as AWS's calculator assumes
   * (https://dev.classmethod.jp/articles/compare-archive-cost-cloudwatchlogs-s3/).
   */
  storedShareOfLog: 0.15,

  /**
   * Shards of the table's stream with links on them: at most those of a new on-demand table, which
   * has four partitions. From memory, not looked up.
   */
  streamShards: 4,
  /**
   * How often Lambda polls a shard
   * (https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html): 4 times a second. From memory, not
   * looked up.
   */
  shardPollSeconds: 0.25,
  /**
   * How long push-counts takes if nobody watches: one round of queries. From 25.3 ms for a small
   * transaction (https://github.com/alexdebrie/dynamodb-performance-testing#results), a query takes
   * less.
   */
  pushSeconds: 0.02,
  /** How long it takes if somebody watches: `paceMs` of lib/live/push.ts. */
  watchedPushSeconds: 0.5,
  /** Live pages that are open all day, each on one link, all links on the same shard. */
  openPages: 1,
  /** The EMF line of a push to a page: lib/live/push.ts, measured. */
  pushLogBytes: 355,
} as const;

/**
 * The lines that Lambda itself logs for an invocation that succeeds, as its guide shows them
 * (https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html). Which of them it writes at which
 * level is in https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html.
 */
export const systemLines = {
  Text: [
    'START RequestId: c793869b-ee49-115b-a5b6-4fd21e8dedac Version: $LATEST\n',
    'END RequestId: c793869b-ee49-115b-a5b6-4fd21e8dedac\n',
    'REPORT RequestId: c793869b-ee49-115b-a5b6-4fd21e8dedac\tDuration: 18.66 ms\tBilled Duration: 19 ms\tMemory Size: 512 MB\tMax Memory Used: 112 MB\t\n',
  ],
  JSON: [
    '{"time":"2026-11-22T14:46:33.123Z","type":"platform.start","record":{"requestId":"c793869b-ee49-115b-a5b6-4fd21e8dedac","version":"$LATEST"}}',
    '{"time":"2026-11-22T14:46:33.142Z","type":"platform.report","record":{"requestId":"c793869b-ee49-115b-a5b6-4fd21e8dedac","metrics":{"durationMs":18.66,"billedDurationMs":19,"memorySizeMB":512,"maxMemoryUsedMB":112},"status":"success"}}',
  ],
} as const;

/** What stands in the access log for a click that was redirected, by variable of the format. */
export const accessLogValues: Readonly<Record<string, string>> = {
  'context.requestId': 'JKJaXmPLvHcESHA=',
  'context.requestTime': '22/Nov/2026:14:46:33 +0000',
  'context.routeKey': 'GET /{code}',
  'context.status': '302',
  'context.responseLength': '0',
  'context.responseLatency': '24',
  'context.integrationLatency': '22',
  'context.integrationErrorMessage': '-',
  'context.authorizer.error': '-',
};

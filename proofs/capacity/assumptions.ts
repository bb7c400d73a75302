import type { Limit } from './limits.ts';

const sampling = 'https://docs.aws.amazon.com/lambda/latest/dg/services-xray.html';

/** What the costs assume where neither the model measures nor a file of the service says it. */
export const assumptions = {
  secondsPerMonth: {
    value: 730 * 3_600,
    unit: 'seconds',
    title: "a month, as in AWS's calculator",
    basis: 'AWS',
    source: 'https://calculator.aws/, from memory, not looked up',
  },
  /** lib/links/read-url.ts expects 10 ms for a visit. */
  resolverSeconds: {
    value: 0.02,
    unit: 'seconds',
    title: 'what Lambda bills for a click in resolve-link, without cold starts',
    basis: 'assumed',
    source:
      'mostly the round trip of PutEvents, of which no published measurement was found; rather too high',
  },
  urlMemorySeconds: {
    value: 30,
    unit: 'seconds',
    title: 'how long an environment of resolve-link remembers a URL',
    basis: 'service',
    source: 'lib/links/read-url.ts',
  },
  sendsPerClick: {
    value: 1,
    unit: 'requests to SQS',
    title: 'for each click: EventBridge and resolve-link send each by itself',
    basis: 'AWS',
    source: "that SQS takes EventBridge's requests is from memory, not looked up",
  },
  secondsAfterTtl: {
    value: 48 * 3_600,
    unit: 'seconds',
    title: 'how long an item stays after its TTL, and counts; the longest is assumed',
    basis: 'AWS',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html, https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ttl-expired-items.html',
  },
  itemOverheadBytes: {
    value: 100,
    unit: 'bytes',
    title: 'what DynamoDB adds to each item that it stores',
    basis: 'AWS',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html',
  },
  /**
   * Of each traced function by itself: traces of producers are linked to those of the aggregator, so
   * each function pays for its own
   * (https://docs.aws.amazon.com/xray/latest/devguide/xray-tracelinking.html).
   */
  tracesPerSecond: {
    value: 1,
    unit: 'invocations a second',
    title: 'what Lambda samples of a traced function at least; no rule can change it',
    basis: 'AWS',
    source: sampling,
  },
  tracedShareOfOthers: {
    value: 0.05,
    unit: 'of the other invocations',
    title: 'what Lambda samples of a traced function besides',
    basis: 'AWS',
    source: sampling,
  },
  storedShareOfLog: {
    value: 0.15,
    unit: 'of the bytes of a log',
    title: "what CloudWatch stores after compression, as AWS's calculator assumes",
    basis: 'published',
    source: 'https://dev.classmethod.jp/articles/compare-archive-cost-cloudwatchlogs-s3/',
  },
  streamShards: {
    value: 4,
    unit: 'shards',
    title: "of the table's stream with links on them: the partitions of a new on-demand table",
    basis: 'assumed',
    source: 'from memory, not looked up',
  },
  shardPollSeconds: {
    value: 0.25,
    unit: 'seconds',
    title: 'how often Lambda polls a shard',
    basis: 'AWS',
    source:
      'https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html; the figure is from memory, not looked up',
  },
  pushSeconds: {
    value: 0.02,
    unit: 'seconds',
    title: 'how long push-counts takes if nobody watches: one round of queries',
    basis: 'assumed',
    source:
      'a query takes less than a small transaction, which takes 25.3 ms: https://github.com/alexdebrie/dynamodb-performance-testing#results',
  },
  watchedPushSeconds: {
    value: 0.5,
    unit: 'seconds',
    title: 'how long it takes if somebody watches: its `paceMs`',
    basis: 'service',
    source: 'lib/live/push.ts',
  },
  openPages: {
    value: 1,
    unit: 'pages',
    title: 'live pages that are open all day, each on one link, all links on the same shard',
    basis: 'assumed',
    source: 'a choice',
  },
  pushLogBytes: {
    value: 355,
    unit: 'bytes',
    title: 'the EMF line of a push to a page',
    basis: 'measured',
    source: 'lib/live/push.ts',
  },
} as const satisfies Record<string, Limit>;

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

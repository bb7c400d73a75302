/** What AWS takes for a number of units. */
export interface Price {
  /** US dollars for `per` units. */
  dollars: number;
  per: number;
  unit: string;
  /** AWS's page of this price. */
  page: string;
  /** Where the value was read (a copy of AWS's page, a list or a guide), or {@link fromMemory}. */
  source: string;
}

/** The year and the month in which the list was made. */
export const priceDate = '2026-11';

/** The source of a price that was not looked up. */
export const fromMemory = 'from memory, not looked up';

const million = 1_000_000;

const listedBy = (page: string, source: string) => (dollars: number, per: number, unit: string) =>
  ({ dollars, per, unit, page, source }) satisfies Price;

const apiGateway = listedBy(
  'https://aws.amazon.com/api-gateway/pricing/',
  'https://amnic.com/blogs/aws-api-gateway-pricing',
);
const lambda = listedBy(
  'https://aws.amazon.com/lambda/pricing/',
  'https://cloudchipr.com/blog/aws-lambda-pricing',
);
const dynamoDbPage = 'https://aws.amazon.com/dynamodb/pricing/on-demand/';
const dynamoDbRequest = listedBy(
  dynamoDbPage,
  'https://airbyte.com/data-engineering-resources/dynamodb-pricing',
);
const dynamoDbStorage = listedBy(dynamoDbPage, 'https://aws.amazon.com/dynamodb/pricing/');
const dynamoDbFromMemory = listedBy(dynamoDbPage, fromMemory);
const eventBridge = listedBy(
  'https://aws.amazon.com/eventbridge/pricing/',
  'https://cloudburn.io/blog/amazon-eventbridge-pricing',
);
const sqs = listedBy(
  'https://aws.amazon.com/sqs/pricing/',
  'https://cloudburn.io/blog/amazon-sqs-pricing',
);
const cloudWatchPage = 'https://aws.amazon.com/cloudwatch/pricing/';
const cloudWatch = listedBy(
  cloudWatchPage,
  'https://github.com/api-evangelist/cloudwatch/blob/main/plans/cloudwatch-plans-pricing.yml',
);
const cloudWatchDashboard = listedBy(
  cloudWatchPage,
  'https://www.factualminds.com/blog/amazon-cloudwatch-pricing-metrics-logs-alarms-dashboards/',
);
const cloudWatchFromMemory = listedBy(cloudWatchPage, fromMemory);
const xRay = listedBy(
  'https://aws.amazon.com/xray/pricing/',
  'https://aws.amazon.com/de/xray/pricing/',
);
const kms = listedBy('https://aws.amazon.com/kms/pricing/', fromMemory);

/**
 * List prices in us-east-1, on demand: the first tier of each, without the free tiers. A GB is 2^30
 * bytes. EventBridge delivers within an account for free
 * (https://cloudburn.io/blog/amazon-eventbridge-pricing).
 */
export const prices = {
  /** Up to 512 KB count as one. */
  httpApiRequest: apiGateway(1, million, 'requests'),
  /** In either direction; up to 32 KB count as one. */
  webSocketMessage: apiGateway(1, million, 'messages'),
  webSocketMinute: apiGateway(0.25, million, 'connection minutes'),
  lambdaRequest: lambda(0.2, million, 'requests'),
  /** On arm64. */
  lambdaGbSecond: lambda(0.0000133334, 1, 'GB-seconds'),
  writeUnit: dynamoDbRequest(0.625, million, 'write request units'),
  readUnit: dynamoDbRequest(0.125, million, 'read request units'),
  tableGbMonth: dynamoDbStorage(0.25, 1, 'GB-months'),
  /**
   * On the table's size, whatever the recovery period:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/PointInTimeRecovery_Howitworks.html
   */
  pointInTimeRecoveryGbMonth: dynamoDbFromMemory(0.2, 1, 'GB-months'),
  /**
   * The service pays none, because Lambda's reads of a stream are free:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CostOptimization_StreamsUsage.html
   */
  streamRead: dynamoDbFromMemory(0.02, 100_000, 'read requests'),
  /** Up to 64 KB count as one. */
  customEvent: eventBridge(1, million, 'events'),
  /** Of a standard queue; up to 64 KB count as one. */
  queueRequest: sqs(0.4, million, 'requests'),
  logIngestedGb: cloudWatch(0.5, 1, 'GB'),
  /** After compression. */
  logStoredGbMonth: cloudWatch(0.03, 1, 'GB-months'),
  /** Those in EMF lines too. An hour without a data point costs nothing. */
  customMetricMonth: cloudWatch(0.3, 1, 'metric-months'),
  /** An alarm on an expression costs this for each metric in it. */
  alarmMetricMonth: cloudWatch(0.1, 1, 'alarm-metric-months'),
  /** Three metrics: the one that it watches, and both edges of the band. */
  anomalyAlarmMonth: cloudWatchFromMemory(0.3, 1, 'alarm-months'),
  dashboardMonth: cloudWatchDashboard(3, 1, 'dashboard-months'),
  traceRecorded: xRay(5, million, 'traces'),
  keyMonth: kms(1, 1, 'key-months'),
} satisfies Record<string, Price>;

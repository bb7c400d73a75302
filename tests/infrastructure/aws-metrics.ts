/** A metric that AWS emits by itself, as the page documents it. */
export type AwsMetrics = {
  page: string;
  namespace: string;
  names: string[];
  /** All the dimensions that such a data point has; CloudWatch never adds them up over fewer. */
  dimensions: string[];
  /** The statistics that say something: counts are summed, depths and ages are not. */
  statistics: string[];
};

const SQS_PAGE =
  'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html';
const LAMBDA_PAGE = 'https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html';
const DYNAMODB_PAGE =
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html';

export const AWS_METRICS: AwsMetrics[] = [
  {
    page: SQS_PAGE,
    namespace: 'AWS/SQS',
    names: [
      'ApproximateNumberOfMessagesVisible',
      'ApproximateNumberOfMessagesNotVisible',
      'ApproximateAgeOfOldestMessage',
    ],
    dimensions: ['QueueName'],
    statistics: ['Maximum'],
  },
  {
    // NumberOfMessagesSent is left out on purpose: it stays 0 when SQS moves a dead letter.
    page: SQS_PAGE,
    namespace: 'AWS/SQS',
    names: ['NumberOfMessagesReceived'],
    dimensions: ['QueueName'],
    statistics: ['Sum'],
  },
  {
    page: LAMBDA_PAGE,
    namespace: 'AWS/Lambda',
    names: ['Errors', 'Throttles'],
    dimensions: ['FunctionName'],
    statistics: ['Sum'],
  },
  {
    page: LAMBDA_PAGE,
    namespace: 'AWS/Lambda',
    names: ['Duration'],
    dimensions: ['FunctionName'],
    statistics: ['p50', 'p99'],
  },
  {
    page: LAMBDA_PAGE,
    namespace: 'AWS/Lambda',
    names: ['ConcurrentExecutions'],
    dimensions: ['FunctionName'],
    statistics: ['Maximum'],
  },
  {
    page: DYNAMODB_PAGE,
    namespace: 'AWS/DynamoDB',
    names: [
      'ConsumedWriteCapacityUnits',
      'ConsumedReadCapacityUnits',
      'WriteThrottleEvents',
      'ReadThrottleEvents',
      'TransactionConflict',
    ],
    dimensions: ['TableName'],
    statistics: ['Sum'],
  },
  {
    page: DYNAMODB_PAGE,
    namespace: 'AWS/DynamoDB',
    names: ['ThrottledRequests'],
    dimensions: ['Operation', 'TableName'],
    statistics: ['Sum'],
  },
  {
    // RuleName alone is a rule of the default bus.
    page: 'https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-monitoring.html',
    namespace: 'AWS/Events',
    names: ['FailedInvocations', 'InvocationsSentToDlq', 'InvocationsFailedToBeSentToDlq'],
    dimensions: ['EventBusName', 'RuleName'],
    statistics: ['Sum'],
  },
  {
    // An HTTP API's names; a REST API has 4XXError and 5XXError, by ApiName.
    page: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html',
    namespace: 'AWS/ApiGateway',
    names: ['4xx', '5xx', 'Count'],
    dimensions: ['ApiId', 'Stage'],
    statistics: ['Sum'],
  },
  {
    page: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html',
    namespace: 'AWS/ApiGateway',
    names: ['Latency'],
    dimensions: ['ApiId', 'Stage'],
    statistics: ['p50', 'p99'],
  },
];

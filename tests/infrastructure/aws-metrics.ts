/** Metrics that AWS emits, as its page documents them. */
export interface AwsMetrics {
  page: string;
  namespace: string;
  names: string[];
  /** All dimensions of such a data point; CloudWatch never aggregates over fewer. */
  dimensions: string[];
  /** The meaningful statistics: counts are summed, depths and ages are not. */
  statistics: string[];
}

const sqsPage =
  'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html';
const lambdaPage = 'https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html';
const dynamodbPage =
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html';

export const awsMetrics: AwsMetrics[] = [
  {
    page: sqsPage,
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
    // NumberOfMessagesSent is missing on purpose: it stays 0 when SQS moves a dead letter.
    page: sqsPage,
    namespace: 'AWS/SQS',
    names: ['NumberOfMessagesReceived'],
    dimensions: ['QueueName'],
    statistics: ['Sum'],
  },
  {
    page: lambdaPage,
    namespace: 'AWS/Lambda',
    names: ['Errors', 'Throttles'],
    dimensions: ['FunctionName'],
    statistics: ['Sum'],
  },
  {
    page: lambdaPage,
    namespace: 'AWS/Lambda',
    names: ['Duration'],
    dimensions: ['FunctionName'],
    statistics: ['p50', 'p99'],
  },
  {
    page: lambdaPage,
    namespace: 'AWS/Lambda',
    names: ['ConcurrentExecutions'],
    dimensions: ['FunctionName'],
    statistics: ['Maximum'],
  },
  {
    page: dynamodbPage,
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
    page: dynamodbPage,
    namespace: 'AWS/DynamoDB',
    names: ['ThrottledRequests'],
    dimensions: ['Operation', 'TableName'],
    statistics: ['Sum'],
  },
  {
    // RuleName alone means a rule of the default bus.
    page: 'https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-monitoring.html',
    namespace: 'AWS/Events',
    names: ['FailedInvocations', 'InvocationsSentToDlq', 'InvocationsFailedToBeSentToDlq'],
    dimensions: ['EventBusName', 'RuleName'],
    statistics: ['Sum'],
  },
  {
    // HTTP APIs use these names; REST APIs use 4XXError and 5XXError, by ApiName.
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

/** A metric that AWS emits, as documented. */
interface AwsMetric {
  namespace: string;
  name: string;
  /** All of a data point's dimensions. CloudWatch never aggregates over fewer. */
  dimensions: string[];
  /** The meaningful statistics: for example, a sum makes sense for counts, but not for ages. */
  statistics: string[];
}

const describeMetrics = (
  namespace: string,
  dimensions: string[],
  statistics: Record<string, string>,
): AwsMetric[] =>
  Object.entries(statistics).map(([name, meaningful]) => {
    return { namespace, name, dimensions, statistics: meaningful.split(' ') };
  });

const [sum, most] = ['Sum', 'Maximum'];

export const awsMetrics: AwsMetric[] = [
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
  // NumberOfMessagesSent is left out because it stays 0 when SQS moves a dead letter.
  ...describeMetrics('AWS/SQS', ['QueueName'], {
    ...{ ApproximateNumberOfMessagesVisible: most, ApproximateNumberOfMessagesNotVisible: most },
    ...{ ApproximateAgeOfOldestMessage: most, NumberOfMessagesReceived: sum },
  }),
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
  ...describeMetrics('AWS/Lambda', ['FunctionName'], {
    ...{ Errors: sum, Throttles: sum, Duration: 'p50 p99' },
    ...{ ConcurrentExecutions: most, IteratorAge: most },
  }),
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
  ...describeMetrics('AWS/DynamoDB', ['TableName'], {
    ...{ ConsumedWriteCapacityUnits: sum, ConsumedReadCapacityUnits: sum },
    ...{ WriteThrottleEvents: sum, ReadThrottleEvents: sum, TransactionConflict: sum },
  }),
  ...describeMetrics('AWS/DynamoDB', ['Operation', 'TableName'], { ThrottledRequests: sum }),
  // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-monitoring.html
  // Without EventBusName, the rule is one of the default bus.
  ...describeMetrics('AWS/Events', ['EventBusName', 'RuleName'], {
    ...{ FailedInvocations: sum, InvocationsSentToDlq: sum, InvocationsFailedToBeSentToDlq: sum },
    MatchedEvents: sum,
  }),
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html
  // HTTP APIs use these names; REST APIs use 4XXError and 5XXError, by ApiName.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-logging.html
  ...describeMetrics('AWS/ApiGateway', ['ApiId', 'Stage'], {
    ...{ '4xx': sum, '5xx': sum, Count: sum, Latency: 'p50 p99' },
    ...{ ConnectCount: sum, MessageCount: sum },
    ...{ IntegrationError: sum, ClientError: sum, ExecutionError: sum },
  }),
];

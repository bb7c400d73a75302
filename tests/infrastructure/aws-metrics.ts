const [sum, most] = ['Sum', 'Maximum'];

/**
 * The metrics that AWS emits, as documented: by namespace and all dimensions of a data point, over fewer of
 * which CloudWatch never aggregates, the meaningful statistics. A sum makes sense for counts, but not for ages.
 */
export const awsMetrics: Record<string, Record<string, string>> = {
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
  // NumberOfMessagesSent is left out because it stays 0 when SQS moves a dead letter.
  'AWS/SQS QueueName': {
    ...{ ApproximateNumberOfMessagesVisible: most, ApproximateNumberOfMessagesNotVisible: most },
    ...{ ApproximateAgeOfOldestMessage: most, NumberOfMessagesReceived: sum },
  },
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
  'AWS/Lambda FunctionName': {
    ...{ Errors: sum, Throttles: sum, Duration: 'p50 p99' },
    ...{ ConcurrentExecutions: most, IteratorAge: most },
  },
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
  'AWS/DynamoDB TableName': {
    ...{ ConsumedWriteCapacityUnits: sum, ConsumedReadCapacityUnits: sum },
    ...{ WriteThrottleEvents: sum, ReadThrottleEvents: sum, TransactionConflict: sum },
  },
  'AWS/DynamoDB Operation TableName': { ThrottledRequests: sum },
  // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-monitoring.html
  // Without EventBusName, the rule is one of the default bus.
  'AWS/Events EventBusName RuleName': {
    ...{ FailedInvocations: sum, InvocationsSentToDlq: sum, InvocationsFailedToBeSentToDlq: sum },
    MatchedEvents: sum,
  },
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html
  // HTTP APIs use these names; REST APIs use 4XXError and 5XXError, by ApiName.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-logging.html
  'AWS/ApiGateway ApiId Stage': {
    ...{ '4xx': sum, '5xx': sum, Count: sum, Latency: 'p50 p99' },
    ...{ ConnectCount: sum, MessageCount: sum },
    ...{ IntegrationError: sum, ClientError: sum, ExecutionError: sum },
  },
};

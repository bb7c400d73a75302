import { expect, test } from 'vitest';
import type { Template } from '../../../../local/engines/template.ts';
import { readStageCosts } from '../../../capacity/stage-costs.ts';

const lambdaFunction = (properties: object) => ({
  Type: 'AWS::Lambda::Function',
  Properties: { MemorySize: 256, TracingConfig: { Mode: 'Active' }, ...properties },
});

const dashboard = {
  widgets: [
    { properties: { alarms: [] } },
    {
      properties: {
        metrics: [
          ['ClickTally', 'ClicksCounted', 'stage', 'prod', {}],
          ['AWS/SQS', 'NumberOfMessagesReceived', {}],
          [{ expression: 'a + b' }],
        ],
      },
    },
    {
      properties: {
        metrics: [
          ['ClickTally', 'ClicksCounted', 'stage', 'prod', {}],
          ['ClickTally/prod', 'ThrottledRequests', {}],
        ],
      },
    },
  ],
};

const resources: Template['Resources'] = {
  ClickTable: {
    Type: 'AWS::DynamoDB::Table',
    Properties: { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
  },
  ResolveLinkLambdaFunction: lambdaFunction({}),
  PushCountsLambdaFunction: lambdaFunction({ TracingConfig: { Mode: 'PassThrough' } }),
  AggregateClicksLambdaFunction: lambdaFunction({
    Environment: {
      Variables: {
        TABLE_NAME: { Ref: 'ClickTable' },
        MAX_RECEIVE_COUNT: 5,
        BUS_RETRY_SECONDS: 100,
        QUEUE_RETENTION_SECONDS: 20,
        DEAD_LETTER_RETENTION_SECONDS: 3,
      },
    },
  }),
  HttpApiStage: {
    Type: 'AWS::ApiGatewayV2::Stage',
    Properties: {
      AccessLogSettings: { Format: '{"route":"$context.routeKey","status":"$context.status"}' },
    },
  },
  HttpApiLogGroup: { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: 90 } },
  QueueMapping: {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      EventSourceArn: { 'Fn::GetAtt': ['ClickQueue', 'Arn'] },
      MaximumBatchingWindowInSeconds: 2,
    },
  },
  StreamMapping: {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      EventSourceArn: { 'Fn::GetAtt': ['ClickTable', 'StreamArn'] },
      MaximumBatchingWindowInSeconds: 1,
    },
  },
  OneMetric: { Type: 'AWS::CloudWatch::Alarm', Properties: { MetricName: 'Errors' } },
  TwoMetrics: {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: { Metrics: [{ Id: 'sum' }, { MetricStat: {} }, { MetricStat: {} }] },
  },
  Anomaly: {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: { ThresholdMetricId: 'usual', Metrics: [{ Id: 'usual' }, { MetricStat: {} }] },
  },
  Dashboard: {
    Type: 'AWS::CloudWatch::Dashboard',
    Properties: { DashboardBody: { 'Fn::Sub': JSON.stringify(dashboard) } },
  },
  Key: { Type: 'AWS::KMS::Key', Properties: {} },
};

test('a template says what a stage adds to the costs of counting', () => {
  const costs = readStageCosts({ Resources: resources }, 7);

  expect(costs).toMatchObject({
    links: 7,
    resolver: { memoryMb: 256, isTraced: true },
    pusher: { memoryMb: 256, isTraced: false },
    // {"route":"GET /{code}","status":"302"}
    accessLogBytes: 38,
    logRetentionDays: 90,
    // On the bus, then twice in the queue and once in the dead-letter queue.
    markerTtlSeconds: 143,
    pointInTimeRecovery: true,
    pushBatchWindowSeconds: 1,
    customMetrics: 2,
    alarmMetrics: 3,
    anomalyAlarms: 1,
    dashboards: 1,
    keys: 1,
  });
});

test.each([
  ['in text', undefined, 265],
  ['in JSON', { LogFormat: 'JSON' }, 376],
  ['in JSON, at WARN', { LogFormat: 'JSON', SystemLogLevel: 'WARN' }, 0],
  ['in text, which has no levels,', { LogFormat: 'Text', SystemLogLevel: 'WARN' }, 265],
])("Lambda's own lines %s are counted", (_, LoggingConfig, bytes) => {
  const Resources = { ...resources, ResolveLinkLambdaFunction: lambdaFunction({ LoggingConfig }) };

  const { resolver } = readStageCosts({ Resources }, 7);

  expect(resolver.systemLogBytes).toBe(bytes);
});

test('a variable of unknown length in the access log is named', () => {
  const Properties = { AccessLogSettings: { Format: '$context.identity.sourceIp' } };
  const Resources = {
    ...resources,
    HttpApiStage: { Type: 'AWS::ApiGatewayV2::Stage', Properties },
  };

  expect(() => readStageCosts({ Resources }, 7)).toThrow(
    /expected to know the length of \$context\.identity\.sourceIp in the access log/,
  );
});

test('a template without resolve-link is refused by name', () => {
  const { ResolveLinkLambdaFunction: _, ...Resources } = resources;

  expect(() => readStageCosts({ Resources }, 7)).toThrow(
    'expected the template to have ResolveLinkLambdaFunction; it does not',
  );
});

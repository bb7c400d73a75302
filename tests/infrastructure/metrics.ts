import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectDir } from '../../local/engines/serverless.ts';

interface Metric {
  Namespace: string;
  MetricName: string;
  Dimensions?: { Name: string; Value: string }[];
}
export interface Alarm extends Metric {
  AlarmDescription: string;
  Threshold: number;
  Statistic?: string;
  ExtendedStatistic?: string;
  Metrics?: { Id: string; Expression?: string; MetricStat?: { Metric: Metric; Stat: string } }[];
}

/**
 * The metrics of AWS that alarms may read, as documented: by namespace and all dimensions of a data point, over
 * fewer of which CloudWatch never aggregates, the meaningful statistics. A sum makes sense for counts, but
 * not for ages.
 */
export const awsMetrics: Record<string, Record<string, string>> = {
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
  // NumberOfMessagesSent is left out because it stays 0 when SQS moves a dead letter.
  'AWS/SQS QueueName': {
    ApproximateNumberOfMessagesVisible: 'Maximum',
    ApproximateAgeOfOldestMessage: 'Maximum',
  },
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
  'AWS/Lambda FunctionName': { Errors: 'Sum', Throttles: 'Sum', IteratorAge: 'Maximum' },
  // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-monitoring.html
  // Without EventBusName, the rule is one of the default bus.
  'AWS/Events EventBusName RuleName': { FailedInvocations: 'Sum', MatchedEvents: 'Sum' },
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html
  // HTTP APIs use these names; REST APIs use 4XXError and 5XXError, by ApiName.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-logging.html
  'AWS/ApiGateway ApiId Stage': {
    ...{ '5xx': 'Sum', Count: 'Sum', Latency: 'p99' },
    ...{ IntegrationError: 'Sum', ExecutionError: 'Sum' },
  },
};

/** The metrics that alarms read. */
export const readByAlarms = (alarms: Record<string, Alarm>) =>
  Object.entries(alarms).flatMap(([reader, alarm]) => {
    const single = { Metric: alarm, Stat: alarm.Statistic ?? alarm.ExtendedStatistic ?? '' };
    const metrics = alarm.Metrics?.flatMap(({ MetricStat }) => MetricStat ?? []) ?? [single];
    return metrics.map(({ Metric: { Namespace, MetricName, Dimensions = [] }, Stat }) => ({
      ...{ reader, namespace: Namespace, name: MetricName, statistic: Stat },
      dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])),
    }));
  });

/** The names of all metrics in the code. */
export const emittedNames: string[] = globSync('{functions,lib}/**/*.ts', {
  cwd: projectDir,
}).flatMap((file) => {
  const text = readFileSync(path.join(projectDir, file), 'utf8');
  return [...text.matchAll(/\baddMetric\(\s*'(\w+)'/g)].map(([, name]) => `${name}`);
});

/** Evaluates a metric math expression. A metric without data points is undefined. */
export function evaluate(expression: string, metrics: Record<string, number | undefined>): number {
  const functions = {
    FILL: (value: number | undefined, missing: number) => value ?? missing,
    MAX: (values: number[]) => Math.max(...values),
    FLOOR: Math.floor,
    IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
  };
  const scope = { ...functions, ...metrics };
  return new Function(...Object.keys(scope), `return ${expression}`)(...Object.values(scope));
}

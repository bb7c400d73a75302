// Every alarm notifies AlarmTopic. Its description says what it means and names a section of the
// runbook. Missing data doesn't breach: most of these metrics don't have data points while the
// service is healthy, and CloudWatch stops an idle queue's metrics.
const { stack, variable } = require('../variables.cjs');

/**
 * A metric with its statistic over a period in seconds.
 *
 * @param {import('../cloudwatch.ts').Metric} metric
 */
const sum = (metric, periodSeconds = 300) => ({
  ...metric,
  Statistic: 'Sum',
  Period: periodSeconds,
});
/** @param {import('../cloudwatch.ts').Metric} metric */
const maximum = (metric, periodSeconds = 300) => ({
  ...metric,
  Statistic: 'Maximum',
  Period: periodSeconds,
});

/** @param {Record<string, unknown>} values */
const dimensions = (values) => Object.entries(values).map(([Name, Value]) => ({ Name, Value }));

/**
 * A metric emitted by the service's functions.
 *
 * @param {string} name
 */
const ofService = (name) => ({
  Namespace: 'ClickTally',
  MetricName: name,
  Dimensions: dimensions({ service: variable('self:service'), stage: variable('sls:stage') }),
});

/**
 * A Lambda metric of the function with this logical id.
 *
 * @param {string} functionId
 * @param {string} name
 */
const ofFunction = (functionId, name) => ({
  Namespace: 'AWS/Lambda',
  MetricName: name,
  Dimensions: dimensions({ FunctionName: { Ref: functionId } }),
});

/**
 * An SQS metric of the queue with this logical id.
 *
 * @param {string} queueId
 * @param {string} name
 */
const ofQueue = (queueId, name) => ({
  Namespace: 'AWS/SQS',
  MetricName: name,
  Dimensions: dimensions({ QueueName: { 'Fn::GetAtt': [queueId, 'QueueName'] } }),
});

/**
 * A metric for use in an alarm's expression.
 *
 * @param {string} id
 * @param {import('../cloudwatch.ts').Statistic} statistic
 */
const inExpression = (id, { Namespace, MetricName, Dimensions, Statistic, Period }) => ({
  Id: id,
  ReturnData: false,
  MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Stat: Statistic, Period },
});

/** @param {number} threshold */
const above = (threshold) => ({ ComparisonOperator: 'GreaterThanThreshold', Threshold: threshold });
/** @param {number} threshold */
const atLeast = (threshold) => ({
  ComparisonOperator: 'GreaterThanOrEqualToThreshold',
  Threshold: threshold,
});

const once = { EvaluationPeriods: 1 };
/** A single bad period usually recovers on its own, because failed calls are retried. */
const twiceOfThree = { EvaluationPeriods: 3, DatapointsToAlarm: 2 };

/**
 * An alarm. `name` is its section in the runbook.
 *
 * @param {string} name
 * @param {string} description
 * @param {object[]} properties a metric, its threshold and how long it must be breached
 */
const alarm = (name, description, properties) => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: {
    AlarmName: `${stack}-${name}`,
    AlarmDescription: `${description} docs/runbook.md#${name}`,
    TreatMissingData: 'notBreaching',
    AlarmActions: [{ Ref: 'AlarmTopic' }],
    ...Object.assign({}, ...properties),
  },
});

module.exports = {
  above,
  alarm,
  atLeast,
  dimensions,
  inExpression,
  maximum,
  ofFunction,
  ofQueue,
  ofService,
  once,
  sum,
  twiceOfThree,
};

// Every alarm notifies AlarmTopic; its description says what it means and names a section of the
// runbook. Missing data doesn't breach: most of these metrics have no data points while all is well, and
// CloudWatch stops the metrics of an idle queue.
const { stack, variable } = require('../variables.cjs');

/** What a metric is, and how its data points of a period, in seconds, become one. */
const sum = (metric, periodSeconds = 300) => ({
  ...metric,
  Statistic: 'Sum',
  Period: periodSeconds,
});
const maximum = (metric, periodSeconds = 300) => ({
  ...metric,
  Statistic: 'Maximum',
  Period: periodSeconds,
});

const dimensions = (values) => Object.entries(values).map(([Name, Value]) => ({ Name, Value }));

/** A metric of the service's own functions. */
const ofService = (name) => ({
  Namespace: 'ClickTally',
  MetricName: name,
  Dimensions: dimensions({ service: variable('self:service'), stage: variable('sls:stage') }),
});

/** A metric of a function, by its logical id. */
const ofFunction = (functionId, name) => ({
  Namespace: 'AWS/Lambda',
  MetricName: name,
  Dimensions: dimensions({ FunctionName: { Ref: functionId } }),
});

/** A metric of a queue, by its logical id. */
const ofQueue = (queueId, name) => ({
  Namespace: 'AWS/SQS',
  MetricName: name,
  Dimensions: dimensions({ QueueName: { 'Fn::GetAtt': [queueId, 'QueueName'] } }),
});

/** A metric in an expression of an alarm. */
const inExpression = (id, { Namespace, MetricName, Dimensions, Statistic, Period }) => ({
  Id: id,
  ReturnData: false,
  MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Stat: Statistic, Period },
});

const above = (threshold) => ({ ComparisonOperator: 'GreaterThanThreshold', Threshold: threshold });
const atLeast = (threshold) => ({
  ComparisonOperator: 'GreaterThanOrEqualToThreshold',
  Threshold: threshold,
});

const once = { EvaluationPeriods: 1 };
/** A single bad period heals by itself, because whoever failed tries again. */
const twiceOfThree = { EvaluationPeriods: 3, DatapointsToAlarm: 2 };

/**
 * An alarm. `name` is its section in the runbook, and `suffix` tells alarms of the same section apart.
 *
 * @param {string} name
 * @param {string} description
 * @param {object[]} properties a metric, its threshold and for how long it must be breached
 */
const alarm = (name, description, properties, suffix = '') => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: {
    AlarmName: `${stack}-${name}${suffix}`,
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

// The alarms of the HTTP API.
const { alarm } = require('./alarm.cjs');
const { readFunctions } = require('./limits.cjs');
const { variable } = require('./variables.cjs');

const namespace = `ClickTally/${variable('sls:stage')}`;

const stat = (id, metric, name, statistic) => ({
  Id: id,
  ReturnData: false,
  MetricStat: { Metric: { ...metric, MetricName: name }, Stat: statistic, Period: 300 },
});

const api = {
  Namespace: 'AWS/ApiGateway',
  Dimensions: [
    { Name: 'ApiId', Value: { Ref: 'HttpApi' } },
    { Name: 'Stage', Value: '$default' },
  ],
};

/** An alarm on two bad periods of three: a single one heals by itself. */
const apiAlarm = (name, description, properties) =>
  alarm(name, description, {
    ComparisonOperator: 'GreaterThanThreshold',
    EvaluationPeriods: 3,
    DatapointsToAlarm: 2,
    ...properties,
  });

/** Adds a metric up over all functions behind the API. */
const overFunctions = (label, name, functionIds) => [
  {
    Id: 'all',
    Label: label,
    Expression: functionIds.map((_, index) => `FILL(f${index}, 0)`).join(' + '),
  },
  ...functionIds.map((id, index) => {
    const dimensions = [{ Name: 'FunctionName', Value: { Ref: id } }];
    return stat(`f${index}`, { Namespace: 'AWS/Lambda', Dimensions: dimensions }, name, 'Sum');
  }),
];

const atLeastOne = { ComparisonOperator: 'GreaterThanOrEqualToThreshold', Threshold: 1 };

const apiAlarms = {
  // Below five failures, one visitor who tries again could ring it on a quiet stage.
  ApiErrors: apiAlarm('api-errors', 'More than 1 % of the requests to the HTTP API fail (5xx).', {
    Metrics: [
      {
        Id: 'share',
        Label: 'failed, % of requests',
        Expression: 'IF(failed >= 5, 100 * failed / requests, 0)',
      },
      stat('failed', api, '5xx', 'Sum'),
      stat('requests', api, 'Count', 'Sum'),
    ],
    Threshold: 1,
  }),

  // A cold start takes about a second, which is the slowest of few requests.
  ApiSlow: apiAlarm('api-slow', 'One of a hundred requests to the HTTP API takes over 3 seconds.', {
    ...{ ...api, MetricName: 'Latency', ExtendedStatistic: 'p99', Period: 300 },
    Threshold: 3_000,
  }),

  // A request that API Gateway throttles reaches no function. One that create-link answers with 429,
  // because a quota is used up, does.
  ThrottledRequests: {
    Type: 'AWS::Logs::MetricFilter',
    Properties: {
      LogGroupName: { Ref: 'HttpApiLogGroup' },
      FilterPattern: '{ ($.status = "429") && ($.functionMs = "-") }',
      MetricTransformations: [
        {
          ...{ MetricNamespace: namespace, MetricName: 'ThrottledRequests' },
          ...{ MetricValue: '1', Unit: 'Count' },
        },
      ],
    },
  },
  RequestsThrottled: apiAlarm(
    'requests-throttled',
    'The HTTP API keeps throttling requests (429).',
    {
      ...{ Namespace: namespace, MetricName: 'ThrottledRequests', Statistic: 'Sum', Period: 300 },
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 10,
    },
  ),

  // Below a thousand requests in 5 minutes, somebody's test would be unusual. A stage that passes them
  // for the first time has no usual number yet, so that rings too.
  RequestsUnusual: apiAlarm(
    'requests-unusual',
    'For a quarter of an hour, the HTTP API has had far more requests than usual at this time.',
    {
      Metrics: [
        { Id: 'busy', Label: 'requests', Expression: 'IF(requests >= 1000, requests, 0)' },
        { Id: 'usual', Label: 'usual', Expression: 'ANOMALY_DETECTION_BAND(busy, 6)' },
        stat('requests', api, 'Count', 'Sum'),
      ],
      ComparisonOperator: 'GreaterThanUpperThreshold',
      ThresholdMetricId: 'usual',
      DatapointsToAlarm: 3,
    },
  ),
};

/** @param {import('./framework.ts').Tools} tools */
module.exports = async (tools) => {
  const ids = (await readFunctions(tools))
    .filter(({ routes }) => routes.length > 0)
    .map(({ logicalId }) => logicalId);
  return {
    Resources: {
      ...apiAlarms,
      ApiFunctionErrors: apiAlarm(
        'api-function-errors',
        'Functions behind the HTTP API keep crashing or timing out.',
        { Metrics: overFunctions('errors', 'Errors', ids), ...atLeastOne },
      ),
      ApiFunctionThrottles: apiAlarm(
        'api-function-throttles',
        'Lambda keeps throttling functions behind the HTTP API.',
        { Metrics: overFunctions('throttles', 'Throttles', ids), ...atLeastOne },
      ),
    },
  };
};

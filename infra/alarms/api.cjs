// The alarms of the HTTP API.
const { readFunctions } = require('../limits.cjs');
const { variable } = require('../variables.cjs');
const {
  above,
  alarm,
  atLeast,
  dimensions,
  inExpression,
  ofFunction,
  sum,
  twiceOfThree,
} = require('./alarm.cjs');

/** A metric of the HTTP API. */
const ofApi = (name) => ({
  Namespace: 'AWS/ApiGateway',
  MetricName: name,
  Dimensions: dimensions({ ApiId: { Ref: 'HttpApi' }, Stage: '$default' }),
});

const throttled = {
  Namespace: `ClickTally/${variable('sls:stage')}`,
  MetricName: 'ThrottledRequests',
};

/** Sums a metric over all functions behind the API. */
const overFunctions = (label, name, functionIds) => ({
  Metrics: [
    {
      Id: 'all',
      Label: label,
      Expression: functionIds.map((_, index) => `FILL(f${index}, 0)`).join(' + '),
    },
    ...functionIds.map((id, index) => inExpression(`f${index}`, sum(ofFunction(id, name)))),
  ],
});

const apiAlarms = {
  // With fewer than five failures, one visitor's retries could trigger the alarm on a quiet stage.
  ApiErrors: alarm('api-errors', 'More than 1% of the requests to the HTTP API fail (5xx).', [
    {
      Metrics: [
        {
          Id: 'share',
          Label: 'failed, % of requests',
          Expression: 'IF(failed >= 5, 100 * failed / requests, 0)',
        },
        inExpression('failed', sum(ofApi('5xx'))),
        inExpression('requests', sum(ofApi('Count'))),
      ],
    },
    above(1),
    twiceOfThree,
  ]),

  // With few requests, the p99 is a cold start, which takes about a second.
  ApiSlow: alarm('api-slow', 'More than 1% of the requests to the HTTP API take over 3 seconds.', [
    { ...ofApi('Latency'), ExtendedStatistic: 'p99', Period: 300 },
    above(3_000),
    twiceOfThree,
  ]),

  // Counts only API Gateway's throttling. Those requests don't reach a function, unlike the ones
  // that a function answers with 429.
  ThrottledRequests: {
    Type: 'AWS::Logs::MetricFilter',
    Properties: {
      LogGroupName: { Ref: 'HttpApiLogGroup' },
      FilterPattern: '{ ($.status = "429") && ($.functionMs = "-") }',
      MetricTransformations: [
        {
          MetricNamespace: throttled.Namespace,
          MetricName: throttled.MetricName,
          MetricValue: '1',
          Unit: 'Count',
        },
      ],
    },
  },
  RequestsThrottled: alarm('requests-throttled', 'The HTTP API keeps throttling requests (429).', [
    sum(throttled),
    atLeast(10),
    twiceOfThree,
  ]),

  // With fewer than a thousand requests in 5 minutes, any test would look unusual. A stage that
  // exceeds this for the first time has no baseline yet, so that triggers the alarm too.
  RequestsUnusual: alarm(
    'requests-unusual',
    'For 15 minutes, the HTTP API has received far more requests than usual at this time.',
    [
      {
        Metrics: [
          { Id: 'busy', Label: 'requests', Expression: 'IF(requests >= 1000, requests, 0)' },
          { Id: 'usual', Label: 'usual', Expression: 'ANOMALY_DETECTION_BAND(busy, 6)' },
          inExpression('requests', sum(ofApi('Count'))),
        ],
        ComparisonOperator: 'GreaterThanUpperThreshold',
        ThresholdMetricId: 'usual',
        EvaluationPeriods: 3,
        DatapointsToAlarm: 3,
      },
    ],
  ),
};

/** @param {import('../framework.ts').Tools} tools */
module.exports = async (tools) => {
  const ids = (await readFunctions(tools))
    .filter(({ routes }) => routes.length > 0)
    .map(({ logicalId }) => logicalId);
  return {
    Resources: {
      ...apiAlarms,
      ApiFunctionErrors: alarm(
        'api-function-errors',
        'Functions behind the HTTP API keep crashing or timing out.',
        [overFunctions('errors', 'Errors', ids), atLeast(1), twiceOfThree],
      ),
      ApiFunctionThrottles: alarm(
        'api-function-throttles',
        'Lambda keeps throttling functions behind the HTTP API.',
        [overFunctions('throttles', 'Throttles', ids), atLeast(1), twiceOfThree],
      ),
    },
  };
};

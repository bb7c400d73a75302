// The alarms of the HTTP API.
const { variable } = require('../variables.cjs');
const {
  above,
  alarm,
  atLeast,
  dimensions,
  inExpression,
  ofFunction,
  once,
  sum,
  twiceOfThree,
} = require('./alarm.cjs');

/**
 * A metric of the HTTP API.
 *
 * @param {string} name
 */
const ofApi = (name) => ({
  Namespace: 'AWS/ApiGateway',
  MetricName: name,
  Dimensions: dimensions({ ApiId: { Ref: 'HttpApi' }, Stage: '$default' }),
});

const throttled = {
  Namespace: `ClickTally/${variable('sls:stage')}`,
  MetricName: 'ThrottledRequests',
};

const apiAlarms = {
  // Includes the functions' crashes, timeouts and throttles, which are 5xx to a visitor. With fewer than
  // five failures, one visitor's retries could trigger the alarm on a quiet stage.
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

  // Lambda runs it again twice, and the next day.
  PurgeFailing: alarm(
    'purge-failing',
    "Deleted links aren't removed for good: purge-links fails.",
    [sum(ofFunction('PurgeLinksLambdaFunction', 'Errors'), 86_400), atLeast(1), once],
  ),
};

module.exports = { Resources: apiAlarms };

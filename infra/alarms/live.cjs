// The alarms for the live page's pushes and connections.
const { variable } = require('../variables.cjs');
const {
  alarm,
  atLeast,
  dimensions,
  inExpression,
  maximum,
  ofFunction,
  ofService,
  sum,
  twiceOfThree,
} = require('./alarm.cjs');

/**
 * A metric of the WebSocket API.
 *
 * @param {string} name
 */
const ofLiveApi = (name) => ({
  Namespace: 'AWS/ApiGateway',
  MetricName: name,
  Dimensions: dimensions({ ApiId: { Ref: 'WebsocketsApi' }, Stage: variable('sls:stage') }),
});

module.exports = {
  Resources: {
    // push-counts falls behind if it keeps crashing or timing out, because Lambda retries its batch. Lambda
    // gives up on a record after 60 seconds, so the age (in milliseconds) doesn't get higher.
    PushFailures: alarm(
      'push-failures',
      "Live pages show old numbers: push-counts is more than 30 seconds behind the table, can't read a link's " +
        'item, or API Gateway rejects its messages.',
      [
        {
          Metrics: [
            {
              Id: 'problems',
              Label: 'failed pushes, and 1 if pushes are late',
              Expression: 'FILL(failed, 0) + IF(FILL(age, 0) > 30000, 1, 0)',
            },
            inExpression('failed', sum(ofService('PushFailures'))),
            inExpression('age', maximum(ofFunction('PushCountsLambdaFunction', 'IteratorAge'))),
          ],
        },
        atLeast(1),
        twiceOfThree,
      ],
    ),

    ConnectionErrors: alarm(
      'connection-errors',
      "Live pages can't connect or watch links: the WebSocket API's functions or its token check keep failing.",
      [
        {
          Metrics: [
            {
              Id: 'errors',
              Label: 'failed events of connections',
              Expression: 'FILL(integration, 0) + FILL(execution, 0) + FILL(checks, 0)',
            },
            inExpression('integration', sum(ofLiveApi('IntegrationError'))),
            inExpression('execution', sum(ofLiveApi('ExecutionError'))),
            inExpression('checks', sum(ofFunction('AuthorizeConnectionLambdaFunction', 'Errors'))),
          ],
        },
        atLeast(1),
        twiceOfThree,
      ],
    ),
  },
};

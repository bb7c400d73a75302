// The alarms for the live page's pushes and connections.
const { variable } = require('../variables.cjs');
const {
  above,
  alarm,
  atLeast,
  dimensions,
  inExpression,
  maximum,
  ofFunction,
  ofService,
  once,
  sum,
  twiceOfThree,
} = require('./alarm.cjs');

/** A metric of the WebSocket API. */
const ofLiveApi = (name) => ({
  Namespace: 'AWS/ApiGateway',
  MetricName: name,
  Dimensions: dimensions({ ApiId: { Ref: 'WebsocketsApi' }, Stage: variable('sls:stage') }),
});

const pusher = 'PushCountsLambdaFunction';

module.exports = {
  Resources: {
    PushErrors: alarm(
      'push-errors',
      "Invocations of push-counts keep crashing or timing out. Live pages aren't updated.",
      [sum(ofFunction(pusher, 'Errors')), atLeast(1), twiceOfThree],
    ),

    PushDelayed: alarm(
      'push-delayed',
      'push-counts is more than 30 seconds behind the table. Live pages show old numbers.',
      [
        maximum(ofFunction(pusher, 'IteratorAge'), 60),
        // In milliseconds. Lambda gives up on a record after 60 seconds.
        above(30_000),
        { EvaluationPeriods: 3 },
      ],
    ),

    PushFailures: alarm(
      'push-failures',
      'API Gateway keeps rejecting pushes to open connections.',
      [sum(ofService('PushFailures')), atLeast(1), twiceOfThree],
    ),

    UnreadableRecords: alarm(
      'unreadable-records',
      "push-counts can't read a link's item, so live pages don't get its numbers.",
      [sum(ofService('UnreadableRecords')), atLeast(1), once],
    ),

    ConnectionErrors: alarm(
      'connection-errors',
      "The functions of the WebSocket API keep failing. Live pages can't connect or watch links.",
      [
        {
          Metrics: [
            {
              Id: 'errors',
              Label: 'failed events of connections',
              Expression: 'FILL(integration, 0) + FILL(execution, 0)',
            },
            inExpression('integration', sum(ofLiveApi('IntegrationError'))),
            inExpression('execution', sum(ofLiveApi('ExecutionError'))),
          ],
        },
        atLeast(1),
        twiceOfThree,
      ],
    ),

    AuthorizerErrors: alarm(
      'authorizer-errors',
      "authorize-connection can't check tokens, so live pages can't connect.",
      [sum(ofFunction('AuthorizeConnectionLambdaFunction', 'Errors')), atLeast(1), twiceOfThree],
    ),

    // A refused page retries about twice a minute, so a few of them stay below the threshold.
    ConnectionsRefused: alarm(
      'connections-refused',
      'Live page connections keep being opened without a valid token, or above the limit for one user.',
      [sum(ofService('RefusedConnections')), atLeast(100), twiceOfThree],
    ),
  },
};

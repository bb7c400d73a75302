// The alarms of the live page's pushes and connections.
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
      'Invocations of push-counts keep crashing or timing out; live pages stand still.',
      [sum(ofFunction(pusher, 'Errors')), atLeast(1), twiceOfThree],
    ),

    PushDelayed: alarm(
      'push-delayed',
      'push-counts is more than 30 seconds behind the table; live pages show old numbers.',
      [
        maximum(ofFunction(pusher, 'IteratorAge'), 60),
        // Milliseconds. After 60 seconds, Lambda gives a record up.
        above(30_000),
        { EvaluationPeriods: 3 },
      ],
    ),

    PushFailures: alarm(
      'push-failures',
      'API Gateway keeps refusing numbers for connections that are open.',
      [sum(ofService('PushFailures')), atLeast(1), twiceOfThree],
    ),

    UnreadableRecords: alarm(
      'unreadable-records',
      'An item of a link is not as push-counts expects it; live pages do not get its numbers.',
      [sum(ofService('UnreadableRecords')), atLeast(1), once],
    ),

    ConnectionErrors: alarm(
      'connection-errors',
      'The functions of the WebSocket API keep failing; live pages cannot connect or watch links.',
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
      'authorize-connection cannot check tokens, so no live page can connect.',
      [sum(ofFunction('AuthorizeConnectionLambdaFunction', 'Errors')), atLeast(1), twiceOfThree],
    ),

    // A page that is refused tries again about twice a minute, so a few of them stay below.
    ConnectionsRefused: alarm(
      'connections-refused',
      'Somebody keeps opening connections of the live page without a valid token, or more than one user may ' +
        'have.',
      [sum(ofService('RefusedConnections')), atLeast(100), twiceOfThree],
    ),
  },
};

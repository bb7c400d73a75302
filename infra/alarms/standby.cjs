// The alarm of the home Region for its standby, which has its own (standby.yml).
const {
  alarm,
  atLeast,
  inExpression,
  maximum,
  ofFunction,
  ofQueue,
  twiceOfThree,
} = require('./alarm.cjs');

module.exports = {
  Resources: {
    // A failed batch isn't an error of the function: it reports its failures.
    ReplicationFailing: alarm(
      'replication-failing',
      'The standby is more than a minute behind, or has missed changes of links.',
      [
        {
          Metrics: [
            {
              Id: 'problems',
              Label: 'missed changes, and 1 if changes are late',
              Expression: 'FILL(missed, 0) + IF(FILL(age, 0) > 60000, 1, 0)',
            },
            inExpression(
              'missed',
              maximum(ofQueue('ReplicationDLQ', 'ApproximateNumberOfMessagesVisible')),
            ),
            inExpression('age', maximum(ofFunction('ReplicateLinksLambdaFunction', 'IteratorAge'))),
          ],
        },
        atLeast(1),
        twiceOfThree,
      ],
    ),
  },
};

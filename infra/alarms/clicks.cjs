// The alarms of the clicks' way: the bus, the queues and the aggregator.
const { readClickQueues } = require('../click-queues.cjs');
const { stack, variable } = require('../variables.cjs');
const {
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
} = require('./alarm.cjs');

/** A metric of a rule of the bus. */
const ofRule = (ruleName, name) => ({
  Namespace: 'AWS/Events',
  MetricName: name,
  Dimensions: dimensions({ EventBusName: { Ref: 'ClickBus' }, RuleName: ruleName }),
});

const aggregator = 'AggregateClicksLambdaFunction';

const clickAlarms = {
  // NumberOfMessagesSent would stay 0, because SQS itself moves the messages here.
  DeadLettersWaiting: alarm(
    'dead-letters-waiting',
    'Clicks that could not be counted are waiting in ClickDLQ.',
    [maximum(ofQueue('ClickDLQ', 'ApproximateNumberOfMessagesVisible')), atLeast(1), once],
  ),

  DeadLettersExpiring: alarm(
    'dead-letters-expiring',
    'A dead letter in ClickDLQ is so old that SQS will soon delete it; its click is then lost.',
    [
      maximum(ofQueue('ClickDLQ', 'ApproximateAgeOfOldestMessage')),
      atLeast(variable('param:deadLetterAgeAlarmSeconds')),
      once,
    ],
  ),

  ClicksDeadLettered: alarm(
    'clicks-dead-lettered',
    'Clicks just failed their last attempt and moved to ClickDLQ.',
    [sum(ofService('DeadLetters')), atLeast(1), once],
  ),

  AggregatorErrors: alarm(
    'aggregator-errors',
    'Invocations of aggregate-clicks keep crashing or timing out; SQS redelivers whole batches.',
    [sum(ofFunction(aggregator, 'Errors')), atLeast(1), twiceOfThree],
  ),

  AggregatorThrottles: alarm(
    'aggregator-throttles',
    'Lambda keeps throttling aggregate-clicks because the account has no concurrency left.',
    [sum(ofFunction(aggregator, 'Throttles')), atLeast(1), twiceOfThree],
  ),

  // Below 100 clicks in a quarter of an hour, the share says little.
  DuplicateClicksHigh: alarm(
    'duplicate-clicks-high',
    'More than 5 % of the clicks are duplicates. The counts are right, but a sender repeats itself, or ' +
      'batches time out after their commit.',
    [
      {
        Metrics: [
          {
            Id: 'share',
            Label: 'duplicates, % of clicks',
            Expression:
              'IF(counted + duplicates >= 100, 100 * duplicates / (counted + duplicates), 0)',
          },
          inExpression('counted', sum(ofService('ClicksCounted'), 900)),
          inExpression('duplicates', sum(ofService('DuplicateClicks'), 900)),
        ],
      },
      above(5),
      once,
    ],
  ),

  ClicksUnpublished: alarm(
    'clicks-unpublished',
    'Neither the bus nor ClickQueue took a click; only the log of resolve-link has it.',
    [sum(ofService('ClicksUnpublished')), atLeast(1), once],
  ),

  RuleDeadLettersWaiting: alarm(
    'rule-dead-letters-waiting',
    'Clicks that the bus could not deliver to a ClickQueue are waiting in ClickRuleDLQ.',
    [maximum(ofQueue('ClickRuleDLQ', 'ApproximateNumberOfMessagesVisible')), atLeast(1), once],
  ),

  UnmatchedEvents: alarm(
    'unmatched-events',
    'Somebody published events whose source or detail-type no ClickRule matches; none counts.',
    [sum(ofRule(`${stack}-unmatched`, 'MatchedEvents')), atLeast(1), once],
  ),

  CounterDrift: alarm(
    'counter-drift',
    "A link's total is not the sum of its days, or a day's breakdown does not sum to its count, which no " +
      'failure may cause.',
    [sum(ofService('CounterDrift')), atLeast(1), once],
  ),
};

/** @param {import('../click-queues.cjs').ClickQueue} queue */
const alarmsOfQueue = ({ id, name, suffix, dashed }) => ({
  [`ClicksDelayed${suffix}`]: alarm(
    'clicks-delayed',
    `The oldest click has waited in ${id} for more than 7 minutes; counts lag behind.`,
    [
      maximum(ofQueue(id, 'ApproximateAgeOfOldestMessage'), 60),
      // More than two visibility timeouts, so that one poisoned click does not set it off.
      above(420),
      { EvaluationPeriods: 3 },
    ],
    dashed,
  ),
  [`BusDeliveriesFailed${suffix}`]: alarm(
    'bus-deliveries-failed',
    `The bus just gave up delivering clicks to ${id}.`,
    [sum(ofRule(name, 'FailedInvocations')), atLeast(1), once],
    dashed,
  ),
});

/** @param {import('../framework.ts').Tools} tools */
module.exports = async (tools) => {
  const queues = await readClickQueues(tools);
  return { Resources: Object.assign({}, clickAlarms, ...queues.map(alarmsOfQueue)) };
};

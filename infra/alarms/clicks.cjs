// The alarms for the path of a click: the bus, the queues and the aggregator.
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

/** A metric of one of the bus's rules. */
const ofRule = (ruleName, name) => ({
  Namespace: 'AWS/Events',
  MetricName: name,
  Dimensions: dimensions({ EventBusName: { Ref: 'ClickBus' }, RuleName: ruleName }),
});

const aggregator = 'AggregateClicksLambdaFunction';

const clickAlarms = {
  // NumberOfMessagesSent would stay at 0, because SQS itself moves the messages here.
  DeadLettersWaiting: alarm(
    'dead-letters-waiting',
    "Clicks that couldn't be counted are waiting in ClickDLQ.",
    [maximum(ofQueue('ClickDLQ', 'ApproximateNumberOfMessagesVisible')), atLeast(1), once],
  ),

  DeadLettersExpiring: alarm(
    'dead-letters-expiring',
    'A dead letter in ClickDLQ is close to its retention limit. SQS will soon delete it and lose its click.',
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

  // A poisoned click alone stays below the threshold. ClicksDelayed misses outages, because SQS ignores
  // the age of messages that were received three times.
  ClicksFailing: alarm(
    'clicks-failing',
    'Many clicks keep failing and wait for another attempt. DynamoDB may be down.',
    [sum(ofService('FailedClicks')), atLeast(20), twiceOfThree],
  ),

  AggregatorErrors: alarm(
    'aggregator-errors',
    'Invocations of aggregate-clicks keep crashing or timing out. SQS redelivers whole batches.',
    [sum(ofFunction(aggregator, 'Errors')), atLeast(1), twiceOfThree],
  ),

  AggregatorThrottles: alarm(
    'aggregator-throttles',
    'Lambda keeps throttling aggregate-clicks because the account has used up its concurrency.',
    [sum(ofFunction(aggregator, 'Throttles')), atLeast(1), twiceOfThree],
  ),

  // With fewer than 100 clicks in 15 minutes, the share isn't meaningful.
  DuplicateClicksHigh: alarm(
    'duplicate-clicks-high',
    'More than 5% of the clicks are duplicates. The counts are right, but a producer sends repeatedly, or ' +
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
    'Neither the bus nor ClickQueue accepted a click. Only the log of resolve-link has it.',
    [sum(ofService('ClicksUnpublished')), atLeast(1), once],
  ),

  RuleDeadLettersWaiting: alarm(
    'rule-dead-letters-waiting',
    "Clicks that the bus couldn't deliver to a ClickQueue are waiting in ClickRuleDLQ.",
    [maximum(ofQueue('ClickRuleDLQ', 'ApproximateNumberOfMessagesVisible')), atLeast(1), once],
  ),

  UnmatchedEvents: alarm(
    'unmatched-events',
    "Events were published whose source or detail-type doesn't match any ClickRule. They aren't counted.",
    [sum(ofRule(`${stack}-unmatched`, 'MatchedEvents')), atLeast(1), once],
  ),

  CounterDrift: alarm(
    'counter-drift',
    "A link's total doesn't equal the sum of its days, or a day's breakdown doesn't sum to its count. " +
      'A failure must never cause this.',
    [sum(ofService('CounterDrift')), atLeast(1), once],
  ),
};

/** @param {import('../click-queues.cjs').ClickQueue} queue */
const alarmsOfQueue = ({ id, name, suffix, dashed }) => ({
  [`ClicksDelayed${suffix}`]: alarm(
    'clicks-delayed',
    `The oldest click has waited in ${id} for more than 7 minutes. Counts lag behind.`,
    [
      maximum(ofQueue(id, 'ApproximateAgeOfOldestMessage'), 60),
      // More than two visibility timeouts, so one poisoned click doesn't trigger it.
      above(420),
      { EvaluationPeriods: 3 },
    ],
    dashed,
  ),
  [`BusDeliveriesFailed${suffix}`]: alarm(
    'bus-deliveries-failed',
    `The bus has just given up delivering clicks to ${id}.`,
    [sum(ofRule(name, 'FailedInvocations')), atLeast(1), once],
    dashed,
  ),
});

/** @param {import('../framework.ts').Tools} tools */
module.exports = async (tools) => {
  const queues = await readClickQueues(tools);
  return { Resources: Object.assign({}, clickAlarms, ...queues.map(alarmsOfQueue)) };
};

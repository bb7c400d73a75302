// The alarms for the path of a click: the bus, the queues and the aggregator.
const { readClickQueues } = require('../click-queues.cjs');
const { stack } = require('../variables.cjs');
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

/**
 * A metric of one of the bus's rules.
 *
 * @param {string} ruleName
 * @param {string} name
 */
const ofRule = (ruleName, name) => ({
  Namespace: 'AWS/Events',
  MetricName: name,
  Dimensions: dimensions({ EventBusName: { Ref: 'ClickBus' }, RuleName: ruleName }),
});

const aggregator = 'AggregateClicksLambdaFunction';
const waiting = 'ApproximateNumberOfMessagesVisible';

/**
 * The alarms that don't depend on the number of queues.
 *
 * @param {number} deadLetterSeconds how long ClickDLQ keeps a message
 */
const alarmsOfClicks = (deadLetterSeconds) => ({
  // NumberOfMessagesSent would stay at 0, because SQS itself moves the messages here.
  DeadLettersWaiting: alarm(
    'dead-letters-waiting',
    "Clicks that couldn't be counted are waiting in ClickDLQ.",
    [maximum(ofQueue('ClickDLQ', waiting)), atLeast(1), once],
  ),

  DeadLettersExpiring: alarm(
    'dead-letters-expiring',
    'A dead letter in ClickDLQ is close to its retention limit. SQS will soon delete it and lose its click.',
    [
      maximum(ofQueue('ClickDLQ', 'ApproximateAgeOfOldestMessage')),
      // The time in ClickQueue is added to it (docs/guarantee.md#the-figures).
      atLeast(Math.floor(deadLetterSeconds / 2)),
      once,
    ],
  ),

  // Whole batches fail if the function crashes, times out or is throttled. An invalid click alone stays
  // below the threshold. ClicksDelayed misses all of this, because SQS ignores the age of messages that
  // were received three times.
  ClicksFailing: alarm(
    'clicks-failing',
    'Clicks keep failing and wait for another attempt: DynamoDB may be down, or aggregate-clicks crashes, ' +
      'times out or is throttled.',
    [
      {
        Metrics: [
          {
            Id: 'failing',
            Label: 'failed or throttled invocations, and groups of 20 failed clicks',
            Expression: 'FILL(errors, 0) + FILL(throttles, 0) + FLOOR(FILL(failed, 0) / 20)',
          },
          inExpression('failed', sum(ofService('FailedClicks'))),
          inExpression('errors', sum(ofFunction(aggregator, 'Errors'))),
          inExpression('throttles', sum(ofFunction(aggregator, 'Throttles'))),
        ],
      },
      atLeast(1),
      twiceOfThree,
    ],
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
              'IF(FILL(counted, 0) + FILL(duplicates, 0) >= 100, ' +
              '100 * FILL(duplicates, 0) / (FILL(counted, 0) + FILL(duplicates, 0)), 0)',
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
});

/**
 * The age in minutes that a click reaches only if it's delayed. SQS ignores a message's age from its third
 * receive on, so a single invalid click gets as old as two visibility timeouts.
 *
 * @param {number} visibilitySeconds
 * @param {number} windowSeconds
 */
const minutesOfDelay = (visibilitySeconds, windowSeconds) =>
  Math.floor((2 * visibilitySeconds + windowSeconds) / 60) + 1;

/**
 * The alarms that watch all queues.
 *
 * @param {import('../click-queues.cjs').ClickQueue[]} queues
 * @param {number} delayMinutes
 */
const alarmsOfQueues = (queues, delayMinutes) => ({
  ClicksDelayed: alarm(
    'clicks-delayed',
    `The oldest click has waited in a ClickQueue for more than ${delayMinutes} minutes. Counts lag behind.`,
    [
      overQueues(queues, 'the oldest click, in seconds', {
        // MAX of a single metric would be a number instead of a series, which an alarm can't watch.
        combine: (ages) => (ages.length > 1 ? `MAX([${ages.join(', ')}])` : ages.join()),
        metricOf: ({ id }) => maximum(ofQueue(id, 'ApproximateAgeOfOldestMessage'), 60),
      }),
      above(delayMinutes * 60),
      { EvaluationPeriods: 3 },
    ],
  ),

  // FailedInvocations leaves out the deliveries that went to ClickRuleDLQ.
  BusDeliveriesFailed: alarm(
    'bus-deliveries-failed',
    "The bus couldn't deliver clicks to a ClickQueue. They wait in ClickRuleDLQ, or are lost.",
    [
      overQueues(queues, 'clicks in ClickRuleDLQ or lost', {
        combine: (lost) => ['FILL(kept, 0)', ...lost].join(' + '),
        metricOf: ({ name }) => sum(ofRule(name, 'FailedInvocations')),
        others: [inExpression('kept', maximum(ofQueue('ClickRuleDLQ', waiting)))],
      }),
      atLeast(1),
      once,
    ],
  ),
});

/**
 * Combines a metric of each queue.
 *
 * @param {import('../click-queues.cjs').ClickQueue[]} queues
 * @param {string} Label
 * @param {{
 *   combine: (filled: string[]) => string,
 *   metricOf: (queue: import('../click-queues.cjs').ClickQueue) => ReturnType<typeof sum>,
 *   others?: object[],
 * }} options
 */
const overQueues = (queues, Label, { combine, metricOf, others = [] }) => ({
  Metrics: [
    { Id: 'all', Label, Expression: combine(queues.map((_, index) => `FILL(q${index}, 0)`)) },
    ...queues.map((queue, index) => inExpression(`q${index}`, metricOf(queue))),
    ...others,
  ],
});

/** @param {import('../framework.ts').Tools} tools */
module.exports = async (tools) => {
  /** @param {keyof import('../stage-settings.ts').Numbers} param */
  const read = async (param) => Number(await tools.resolveVariable(`param:${param}`));
  const delayMinutes = minutesOfDelay(
    await read('visibilityTimeoutSeconds'),
    await read('batchWindowSeconds'),
  );
  return {
    Resources: {
      ...alarmsOfClicks(await read('deadLetterRetentionSeconds')),
      ...alarmsOfQueues(await readClickQueues(tools), delayMinutes),
    },
  };
};

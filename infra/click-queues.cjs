// The queues of clicks, each with the rule that fills it, the mapping that empties it, and the alarms
// of both. The first takes the clicks of all producers; resolve-link spreads its own over all.
const { alarm } = require('./alarm.cjs');
const { stack, variable } = require('./variables.cjs');

/**
 * resolve-link's pages fall evenly on these numbers of queues only (lib/clicks/click-id.ts). With 64,
 * the template would have more than CloudFormation's 500 resources.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
 */
const queueCounts = [1, 2, 4, 8, 16, 32];

const arnOf = (id) => ({ 'Fn::GetAtt': [id, 'Arn'] });

/** What one queue has its names from; those of the first have no number. */
const nameQueue = (_, index) => {
  const number = index + 1;
  const suffix = index === 0 ? '' : number;
  return {
    suffix,
    id: `ClickQueue${suffix}`,
    policyId: `ClickQueuePolicy${suffix}`,
    ruleId: `ClickRule${suffix}`,
    // As clickSourceOf() in lib/clicks/click.ts.
    source: index === 0 ? 'click-tally' : `click-tally.${number}`,
    dashed: index === 0 ? '' : `-${number}`,
    alarmIds: [`ClicksDelayed${suffix}`, `BusDeliveriesFailed${suffix}`],
  };
};

/** The value of a param as a number of queues; undefined for any other. */
const toQueueCount = (value) => queueCounts.find((count) => `${count}` === `${value}`);

/** The names of the stage's queues; of one if infra/refusals.cjs is about to refuse their number. */
async function readClickQueues({ resolveVariable }) {
  const length = toQueueCount(await resolveVariable('param:clickQueues')) ?? 1;
  return Array.from({ length }, nameQueue);
}

const describeQueue = ({ suffix, dashed }) => ({
  Type: 'AWS::SQS::Queue',
  Properties: {
    // get-backlog derives the other URLs from the first (lib/config.ts): 32 of them could fill
    // Lambda's 4 KB of variables.
    ...(suffix && { QueueName: { 'Fn::Sub': `${variable('ClickQueue.QueueName')}${dashed}` } }),
    VisibilityTimeout: variable('param:visibilityTimeoutSeconds'),
    MessageRetentionPeriod: variable('param:queueRetentionSeconds'),
    SqsManagedSseEnabled: true,
    RedrivePolicy: {
      deadLetterTargetArn: arnOf('ClickDLQ'),
      maxReceiveCount: variable('param:maxReceiveCount'),
    },
  },
});

/** docs/decisions/no-deny-for-senders.md says why this denies no other sender. */
const describePolicy = ({ id, ruleId }) => ({
  Type: 'AWS::SQS::QueuePolicy',
  Properties: {
    Queues: [{ Ref: id }],
    PolicyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Sid: 'OnlyClickRule',
          Effect: 'Allow',
          Principal: { Service: 'events.amazonaws.com' },
          Action: 'sqs:SendMessage',
          Resource: arnOf(id),
          Condition: { ArnEquals: { 'aws:SourceArn': arnOf(ruleId) } },
        },
        {
          Sid: 'NoPlainHttp',
          Effect: 'Deny',
          Principal: '*',
          Action: 'sqs:*',
          Resource: arnOf(id),
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        },
      ],
    },
  },
});

const detailType = ['link.clicked'];

const describeRule = ({ id, source, dashed }) => ({
  Type: 'AWS::Events::Rule',
  Properties: {
    // Metrics need this name as RuleName: Ref returns "bus|rule".
    Name: `${stack}-clicks${dashed}`,
    EventBusName: { Ref: 'ClickBus' },
    EventPattern: { source: [source], 'detail-type': detailType },
    Targets: [
      {
        Id: id,
        Arn: arnOf(id),
        RetryPolicy: {
          MaximumEventAgeInSeconds: variable('param:busRetrySeconds'),
          MaximumRetryAttempts: 185,
        },
        DeadLetterConfig: { Arn: arnOf('ClickRuleDLQ') },
      },
    ],
  },
});

const describeDelayAlarm = ({ id, dashed }) =>
  alarm(
    'clicks-delayed',
    `The oldest click has waited in ${id} for more than 7 minutes; counts lag behind.`,
    {
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateAgeOfOldestMessage',
      Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [id, 'QueueName'] } }],
      Statistic: 'Maximum',
      Period: 60,
      EvaluationPeriods: 3,
      ComparisonOperator: 'GreaterThanThreshold',
      // More than two visibility timeouts, so that one poisoned click does not ring it.
      Threshold: 420,
    },
    dashed,
  );

const describeRuleAlarm = ({ id, dashed }) =>
  alarm(
    'bus-deliveries-failed',
    `The bus just gave up delivering clicks to ${id}.`,
    {
      Namespace: 'AWS/Events',
      MetricName: 'FailedInvocations',
      Dimensions: [
        { Name: 'EventBusName', Value: { Ref: 'ClickBus' } },
        { Name: 'RuleName', Value: `${stack}-clicks${dashed}` },
      ],
      Statistic: 'Sum',
      Period: 300,
      EvaluationPeriods: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 1,
    },
    dashed,
  );

const describeResources = (queue) => {
  const [delayed, failed] = queue.alarmIds;
  return {
    [queue.id]: describeQueue(queue),
    [queue.policyId]: describePolicy(queue),
    [queue.ruleId]: describeRule(queue),
    [delayed]: describeDelayAlarm(queue),
    [failed]: describeRuleAlarm(queue),
  };
};

/** The framework makes an event source mapping of it. */
const describeEvent = ({ id }) => ({
  sqs: {
    arn: arnOf(id),
    batchSize: variable('param:batchSize'),
    maximumBatchingWindow: variable('param:batchWindowSeconds'),
    maximumConcurrency: variable('param:maximumConcurrency'),
    functionResponseType: 'ReportBatchItemFailures',
  },
});

/**
 * What resolve-link waits for when a stage gets more queues: until then, the bus would drop the
 * clicks for them, or report them as unmatched. The policies name the rules.
 */
const listPrerequisites = ([, ...others]) =>
  others.length === 0
    ? []
    : [...others.map(({ policyId }) => policyId), 'ClickRuleDLQPolicy', 'UnmatchedRule'];

module.exports = async (tools) => {
  const queues = await readClickQueues(tools);
  return {
    resources: { Resources: Object.assign({}, ...queues.map(describeResources)) },
    events: queues.map(describeEvent),
    queueArns: queues.map(({ id }) => arnOf(id)),
    ruleArns: queues.map(({ ruleId }) => arnOf(ruleId)),
    sources: queues.map(({ source }) => source),
    detailType,
    resolverDependsOn: listPrerequisites(queues),
  };
};
module.exports.describeEvent = describeEvent;
module.exports.queueCounts = queueCounts;
module.exports.readClickQueues = readClickQueues;
module.exports.toQueueCount = toQueueCount;

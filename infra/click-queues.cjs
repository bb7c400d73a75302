// The click queues, each with its rule and its event source mapping. Every producer may use the
// first queue. resolve-link spreads its clicks over all of them.
const { clickDetailType, clickSourceOf } = require('../lib/clicks/click-source.ts');
const { stack, variable } = require('./variables.cjs');

/**
 * The supported numbers of queues. resolve-link spreads its sheets evenly over each of them
 * (lib/clicks/click-id.ts). An alarm has at most ten metrics, and ClickDLQ names at most ten queues.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
 */
const queueCounts = [1, 2, 4, 8];

/** @param {string} id */
const arnOf = (id) => ({ 'Fn::GetAtt': [id, 'Arn'] });

/** @typedef {ReturnType<typeof nameQueue>} ClickQueue */

/**
 * The names of a queue and its related resources. Those of the first queue don't have a number.
 *
 * @param {unknown} _
 * @param {number} index
 */
const nameQueue = (_, index) => {
  const number = index + 1;
  const suffix = index === 0 ? '' : number;
  const dashed = index === 0 ? '' : `-${number}`;
  return {
    suffix,
    id: `ClickQueue${suffix}`,
    policyId: `ClickQueuePolicy${suffix}`,
    ruleId: `ClickRule${suffix}`,
    source: clickSourceOf(index),
    dashed,
    // ClickDLQ names the queues that refer to it. get-backlog derives the other URLs from the first
    // (functions/get-backlog.ts).
    name: `${stack}-clicks${dashed}`,
  };
};

/**
 * A param's value as a supported number of queues; otherwise undefined.
 *
 * @param {unknown} value
 */
const toQueueCount = (value) => queueCounts.find((count) => `${count}` === `${value}`);

/**
 * The names of the stage's queues. Returns one queue if the number is invalid, which
 * infra/settings-checks.cjs then rejects.
 *
 * @param {import('./framework.ts').Tools} tools
 */
async function readClickQueues({ resolveVariable }) {
  const length = toQueueCount(await resolveVariable('param:clickQueues')) ?? 1;
  return Array.from({ length }, nameQueue);
}

// A deployment with fewer queues, such as a rollback, would delete the others with their clicks. All
// deployments have the first queue, which a new stage of the same name may create again.
const retained = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' };

/** @param {ClickQueue} queue */
const describeQueue = ({ name, suffix }) => ({
  Type: 'AWS::SQS::Queue',
  ...(suffix && retained),
  Properties: {
    QueueName: name,
    VisibilityTimeout: variable('param:visibilityTimeoutSeconds'),
    MessageRetentionPeriod: variable('param:queueRetentionSeconds'),
    SqsManagedSseEnabled: true,
    RedrivePolicy: {
      deadLetterTargetArn: arnOf('ClickDLQ'),
      maxReceiveCount: variable('param:maxReceiveCount'),
    },
  },
});

/**
 * docs/decisions.md#no-deny-for-senders explains why this doesn't deny other senders.
 *
 * @param {ClickQueue} queue
 */
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

const detailType = [clickDetailType];

/** @param {ClickQueue} queue */
const describeRule = ({ id, name, source }) => ({
  Type: 'AWS::Events::Rule',
  Properties: {
    // Metrics use this name as RuleName. Ref returns "bus|rule".
    Name: name,
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

/** @param {ClickQueue} queue */
const describeResources = (queue) => ({
  [queue.id]: describeQueue(queue),
  [queue.policyId]: describePolicy(queue),
  [queue.ruleId]: describeRule(queue),
});

/**
 * The framework turns this into an event source mapping.
 *
 * @param {ClickQueue} queue
 */
const describeEvent = ({ id }) => ({
  sqs: {
    arn: arnOf(id),
    batchSize: variable('param:batchSize'),
    maximumBatchingWindow: variable('param:batchWindowSeconds'),
    maximumConcurrency: variable('param:maximumConcurrency'),
    functionResponseType: 'ReportBatchItemFailures',
  },
});

/** @param {ClickQueue} queue */
const describeArn = ({ name }) => {
  const [partition, region, account] = ['Partition', 'Region', 'AccountId'].map((pseudo) =>
    variable(`AWS::${pseudo}`),
  );
  return { 'Fn::Sub': `arn:${partition}:sqs:${region}:${account}:${name}` };
};

/**
 * The resources that CloudFormation must update before resolve-link when a stage gets more queues.
 * Otherwise, the bus could drop clicks for the new queues, or report them as unmatched. The rules
 * aren't listed, because the policies refer to them.
 *
 * @param {ClickQueue[]} queues
 */
const listPrerequisites = ([, ...others]) =>
  others.length === 0 ? [] : [...others.map(({ policyId }) => policyId), 'UnmatchedRule'];

/** @param {import('./framework.ts').Tools} tools */
const describe = async (tools) => {
  const queues = await readClickQueues(tools);
  const via = await tools.resolveVariable('param:clicksVia');
  return {
    resources: { Resources: Object.assign({}, ...queues.map(describeResources)) },
    events: queues.map(describeEvent),
    redriveAllowPolicy: { redrivePermission: 'byQueue', sourceQueueArns: queues.map(describeArn) },
    queueArns: queues.map(({ id }) => arnOf(id)),
    sources: queues.map(({ source }) => source),
    detailType,
    resolverDependsOn: listPrerequisites(queues),
    resolverQueueArns: (via === 'queue' ? queues : queues.slice(0, 1)).map(({ id }) => arnOf(id)),
  };
};

module.exports = Object.assign(describe, {
  describeEvent,
  queueCounts,
  readClickQueues,
  toQueueCount,
});

import { describe, expect, test } from 'vitest';
import { readAggregatorConfig } from '../../lib/clicks/aggregator-config.ts';
import { readRole } from '../helpers/roles.ts';
import { mappingId, openStage, packageDirOf, readStage, stages } from './stage-template.ts';

const daySeconds = 86_400;

/** A queue's policy, which allows only one sender, if any. */
const policyOf = (queue: string, Sid?: string, Condition?: object) => ({
  Queues: [queue],
  PolicyDocument: {
    Version: '2012-10-17',
    Statement: [
      ...(Sid ? [{ ...{ Sid, Effect: 'Allow', ...fromEventBridge(queue), Condition } }] : []),
      {
        ...{ Sid: 'NoPlainHttp', Effect: 'Deny', Principal: '*', Action: 'sqs:*' },
        ...{ Resource: `arn:${queue}`, Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      },
    ],
  },
});
const fromEventBridge = (queue: string) => ({
  ...{ Principal: { Service: 'events.amazonaws.com' }, Action: 'sqs:SendMessage' },
  Resource: `arn:${queue}`,
});

describe.each([...stages, 'prod-with-edge'] as const)('the queues of %s', async (name) => {
  const { template, stage, suffixes, ...opened } = await openStage(name);
  const { read, readType, number, environment, expects } = opened;
  const visibilitySeconds = number('ClickQueue', 'VisibilityTimeout');
  const receives = number('ClickQueue', 'RedrivePolicy', 'maxReceiveCount');
  const [queueSeconds, deadSeconds, ruleDeadSeconds] = [
    ...['ClickQueue', 'ClickDLQ', 'ClickRuleDLQ'].map((id) => number(id, 'MessageRetentionPeriod')),
  ] as [number, number, number];

  test('are encrypted; a click that fails its last attempt goes to ClickDLQ; only failed messages return', () => {
    const names = suffixes.map((suffix) => read(`ClickQueue${suffix}`).QueueName);

    expects({
      ClickQueue: {
        SqsManagedSseEnabled: true,
        RedrivePolicy: { deadLetterTargetArn: 'arn:ClickDLQ' },
      },
      ClickDLQ: {
        SqsManagedSseEnabled: true,
        RedriveAllowPolicy: {
          redrivePermission: 'byQueue',
          sourceQueueArns: names.map((each) => `arn:aws:sqs:us-east-1:123456789012:${each}`),
        },
      },
      ClickRuleDLQ: { SqsManagedSseEnabled: true },
      [mappingId]: {
        ...{ EventSourceArn: 'arn:ClickQueue', FunctionName: 'arn:AggregateClicksLambdaFunction' },
        ...{ Enabled: true, FunctionResponseTypes: ['ReportBatchItemFailures'] },
      },
    });
  });

  test('accept messages only from their rules, and only over TLS', () => {
    const rules = `arn:aws:events:us-east-1:123456789012:rule/ClickBus/click-tally-${stage}-clicks*`;

    expect(readType('SQS::QueuePolicy')).toEqual({
      ClickDLQPolicy: policyOf('ClickDLQ'),
      ClickRuleDLQPolicy: policyOf('ClickRuleDLQ', 'OnlyClickRules', {
        ArnLike: { 'aws:SourceArn': rules },
      }),
      ...Object.fromEntries(
        suffixes.map((suffix) => {
          const condition = { ArnEquals: { 'aws:SourceArn': `arn:ClickRule${suffix}` } };
          const policy = policyOf(`ClickQueue${suffix}`, 'OnlyClickRule', condition);
          return [`ClickQueuePolicy${suffix}`, policy];
        }),
      ),
    });
  });

  test.each(suffixes)('ClickQueue%s has the settings of the first, and its own rule', (suffix) => {
    const dashed = suffix && `-${suffix}`;
    const { QueueName, ...first } = read('ClickQueue');
    const [queue, mapping] = [`ClickQueue${suffix}`, `${mappingId}${suffix}`];

    expect(read(queue)).toEqual({ ...first, QueueName: `${QueueName}${dashed}` });
    expect(read(mapping)).toEqual({ ...read(mappingId), EventSourceArn: `arn:${queue}` });
    expects({
      [`ClickRule${suffix}`]: {
        ...{ Name: `click-tally-${stage}-clicks${dashed}`, EventBusName: 'ClickBus' },
        EventPattern: {
          source: [`click-tally${suffix && `.${suffix}`}`],
          'detail-type': ['link.clicked'],
        },
        Targets: [
          {
            Arn: `arn:${queue}`,
            RetryPolicy: { MaximumEventAgeInSeconds: daySeconds, MaximumRetryAttempts: 185 },
            DeadLetterConfig: { Arn: 'arn:ClickRuleDLQ' },
          },
        ],
      },
    });
  });

  test('have functions that know the last attempt and the number of queues', () => {
    expect(environment('AggregateClicks').MAX_RECEIVE_COUNT).toBe(`${receives}`);
    for (const each of ['ResolveLink', 'GetBacklog']) {
      expect(environment(each).CLICK_QUEUES).toBe(`${suffixes.length}`);
    }
  });

  test.runIf(['staging', 'prod'].includes(stage))(
    "outlast an hour's outage of DynamoDB without a dead letter",
    () => expect(receives * visibilitySeconds).toBeGreaterThan(3_600),
  );

  test('have a visibility timeout of 6 function timeouts and the batching window', () => {
    // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
    const timeoutSeconds = number('AggregateClicksLambdaFunction', 'Timeout');
    const windowSeconds = number(mappingId, 'MaximumBatchingWindowInSeconds');
    expect(visibilitySeconds).toBeGreaterThanOrEqual(6 * timeoutSeconds + windowSeconds);
    // SQS ignores a message's age from its third receive on, so a single poison message reaches the
    // age of two timeouts.
    expect(2 * visibilitySeconds).toBeLessThan(number('ClicksDelayed', 'Threshold'));
  });

  test('keep a click for less time than its marker lives, whichever way it returns', () => {
    const { markerTtlSeconds } = readAggregatorConfig(environment('AggregateClicks'));
    const days = [queueSeconds, deadSeconds, ruleDeadSeconds].map((each) => each / daySeconds);

    expect(days).toEqual([4, 14, 14]);
    // On the bus, in the queue, as a dead letter, and in the queue again after a redrive.
    expect(markerTtlSeconds).toBeGreaterThanOrEqual((1 + 4 + 14 + 4) * daySeconds);
    // A dead letter expires by its age since ClickQueue, but its metric starts at ClickDLQ. The alarm
    // leaves three days.
    const alarmSeconds = number('DeadLettersExpiring', 'Threshold');
    expect(alarmSeconds).toBeLessThanOrEqual((14 - 4 - 3) * daySeconds);
  });

  test('get clicks from resolve-link where it sends them first, otherwise only the first one does', async () => {
    const via = environment('ResolveLink').CLICKS_VIA;
    const allowed = via === 'queue' ? suffixes : [''];
    const { DependsOn = [] } = template.Resources.ResolveLinkLambdaFunction ?? {};
    const policies = suffixes.slice(1).map((suffix) => `ClickQueuePolicy${suffix}`);

    expect(via).toBe(name === 'prod-with-edge' ? 'queue' : 'bus');
    expect(await readRole(packageDirOf(name), 'ResolveLinkRole')).toContainEqual(
      expect.objectContaining({
        Action: ['sqs:SendMessage'],
        Resource: allowed.map((suffix) => `arn:ClickQueue${suffix}`),
      }),
    );
    expect([DependsOn].flat().filter((id) => /^Click|^Unmatched/.test(id))).toEqual(
      policies.length > 0 ? [...policies, 'UnmatchedRule'] : [],
    );
  });

  test('get nothing from the aggregator, which may send only to ClickDLQ', async () => {
    const role = await readRole(packageDirOf(name), 'AggregateClicksRole');
    const senders = role.filter(({ Action }) => Action.includes('sqs:SendMessage'));

    expect(senders.map(({ Action, Resource }) => [Action, Resource])).toEqual([
      [['sqs:SendMessage'], 'arn:ClickDLQ'],
    ]);
    expect(environment('AggregateClicks').CLICK_DLQ_URL).toBe('ClickDLQ');
  });
});

// A deployment with fewer queues, such as a rollback, keeps the others with their clicks.
// CloudFormation applies the policy of the template that had the queue.
test('a stage has one queue, unless a param says otherwise, and a removed queue is kept', async () => {
  const [many, one] = [await openStage('prod-with-edge'), await readStage('prod')];
  const removed = many.idsOf('SQS::Queue').filter((id) => !(id in one.Resources));

  expect(many.suffixes).toEqual(['', '2', '3', '4']);
  expect(removed).toEqual(['ClickQueue2', 'ClickQueue3', 'ClickQueue4']);
  for (const id of removed) {
    // A failed first deployment leaves nothing behind that stops the next one.
    const kept = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' };
    expect(many.template.Resources[id]).toMatchObject(kept);
  }
});

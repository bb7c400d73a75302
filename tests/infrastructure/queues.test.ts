import { describe, expect, test } from 'vitest';
import { readAggregatorConfig } from '../../lib/clicks/aggregator-config.ts';
import { mappingId, openStage, stages } from './stage-template.ts';

const daySeconds = 86_400;

describe.each([...stages, 'prod-with-edge'] as const)('the queues of %s', async (name) => {
  const { template, stage, suffixes, ...opened } = await openStage(name);
  const { read, number, environment, expects } = opened;
  const visibilitySeconds = number('ClickQueue', 'VisibilityTimeout');
  const receives = number('ClickQueue', 'RedrivePolicy', 'maxReceiveCount');

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
        EventSourceArn: 'arn:ClickQueue',
        FunctionName: 'arn:AggregateClicksLambdaFunction',
        Enabled: true,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      },
    });
  });

  test.each(suffixes)('ClickQueue%s has the settings of the first, and its own rule', (suffix) => {
    const dashed = suffix && `-${suffix}`;
    const { QueueName, ...first } = read('ClickQueue');
    const queue = `ClickQueue${suffix}`;
    const mapping = `${mappingId}${suffix}`;

    expect(read(queue)).toEqual({ ...first, QueueName: `${QueueName}${dashed}` });
    expect(read(mapping)).toEqual({ ...read(mappingId), EventSourceArn: `arn:${queue}` });
    // bus.test.ts checks its pattern.
    expects({
      [`ClickRule${suffix}`]: {
        Name: `click-tally-${stage}-clicks${dashed}`,
        EventBusName: 'ClickBus',
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

  test('have functions that know their number, the last attempt and where clicks go', () => {
    for (const each of ['ResolveLink', 'GetBacklog']) {
      expect(environment(each).CLICK_QUEUES).toBe(`${suffixes.length}`);
    }
    expect(environment('ResolveLink').CLICKS_VIA).toBe(name === 'prod-with-edge' ? 'queue' : 'bus');
    expect(environment('AggregateClicks')).toMatchObject({
      MAX_RECEIVE_COUNT: `${receives}`,
      CLICK_DLQ_URL: 'ClickDLQ',
    });
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
  });

  test('keep a click for less time than its marker lives, whichever way it returns', () => {
    const { markerTtlSeconds } = readAggregatorConfig(environment('AggregateClicks'));
    const days = ['ClickQueue', 'ClickDLQ', 'ClickRuleDLQ'].map(
      (id) => number(id, 'MessageRetentionPeriod') / daySeconds,
    );

    expect(days).toEqual([4, 14, 14]);
    // On the bus, in the queue, as a dead letter, and in the queue again after a redrive.
    expect(markerTtlSeconds).toBeGreaterThanOrEqual((1 + 4 + 14 + 4) * daySeconds);
    // A dead letter expires by its age since ClickQueue, but its metric starts at ClickDLQ. The alarm
    // leaves three days.
    const alarmSeconds = number('DeadLettersExpiring', 'Threshold');
    expect(alarmSeconds).toBeLessThanOrEqual((14 - 4 - 3) * daySeconds);
  });

  test('exist before resolve-link sends clicks to new ones', () => {
    const { DependsOn = [] } = template.Resources.ResolveLinkLambdaFunction ?? {};
    const policies = suffixes.slice(1).map((suffix) => `ClickQueuePolicy${suffix}`);

    expect([DependsOn].flat().filter((id) => /^Click|^Unmatched/.test(id))).toEqual(
      policies.length > 0 ? [...policies, 'UnmatchedRule'] : [],
    );
  });
});

// A deployment with fewer queues, such as a rollback, keeps the others with their clicks.
// CloudFormation applies the policy of the template that had the queue.
test('a stage has one queue, unless a param says otherwise, and a removed queue is kept', async () => {
  const many = await openStage('prod-with-edge');
  const one = await openStage('prod');
  const removed = many.idsOf('SQS::Queue').filter((id) => !(id in one.template.Resources));

  expect(many.suffixes).toEqual(['', '2', '3', '4']);
  expect(removed).toEqual(['ClickQueue2', 'ClickQueue3', 'ClickQueue4']);
  for (const id of removed) {
    // A failed first deployment leaves nothing behind that stops the next one.
    const kept = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' };
    expect(many.template.Resources[id]).toMatchObject(kept);
  }
});

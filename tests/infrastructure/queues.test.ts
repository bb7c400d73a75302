import { describe, expect, test } from 'vitest';
import { readAggregatorConfig } from '../../lib/clicks/aggregator-config.ts';
import { readRole } from '../helpers/roles.ts';
import {
  aggregatorId,
  environmentOf,
  mappingId,
  numberOf,
  ofType,
  packageDirOf,
  propertiesOf,
  queueSuffixesOf,
  readStage,
  resolve,
  stageOf,
  stages,
} from './stage-template.ts';

interface QueuePolicy {
  Queues: string[];
  PolicyDocument: { Statement: { Effect: string }[] };
}

describe.each([...stages, 'prod-with-edge'] as const)('the queues of %s', async (name) => {
  const template = await readStage(name);
  const stage = stageOf(name);
  const suffixes = queueSuffixesOf(template);
  const clickQueues = suffixes.map((suffix) => `ClickQueue${suffix}`);
  const queues = [...clickQueues, 'ClickDLQ', 'ClickRuleDLQ'];

  const statementsOf = (queue: string) => {
    const policies = Object.values(ofType(template, 'AWS::SQS::QueuePolicy')).map(
      ({ Properties }) => resolve(template, Properties) as QueuePolicy,
    );
    const ofQueue = policies.filter(({ Queues }) => Queues.includes(queue));
    return ofQueue.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  };

  test('a click that fails its last attempt goes to ClickDLQ', () => {
    expect(resolve(template, propertiesOf(template, 'ClickQueue'))).toMatchObject({
      RedrivePolicy: { deadLetterTargetArn: 'arn:ClickDLQ' },
    });
  });

  test("only the stage's own queues may move messages to ClickDLQ", () => {
    const names = clickQueues.map((queue) => propertiesOf(template, queue).QueueName);

    expect(resolve(template, propertiesOf(template, 'ClickDLQ').RedriveAllowPolicy)).toEqual({
      redrivePermission: 'byQueue',
      sourceQueueArns: names.map((name) => `arn:aws:sqs:us-east-1:123456789012:${name}`),
    });
  });

  test('the function and the queue agree on the last attempt', () => {
    const maxReceiveCount = numberOf(template, 'ClickQueue', 'RedrivePolicy', 'maxReceiveCount');
    expect(environmentOf(template, aggregatorId).MAX_RECEIVE_COUNT).toBe(`${maxReceiveCount}`);
  });

  test.runIf(['staging', 'prod'].includes(stage))(
    "no click becomes a dead letter during an hour's outage of DynamoDB",
    () => {
      const receives = numberOf(template, 'ClickQueue', 'RedrivePolicy', 'maxReceiveCount');
      const visibilitySeconds = numberOf(template, 'ClickQueue', 'VisibilityTimeout');

      expect(receives * visibilitySeconds).toBeGreaterThan(3_600);
    },
  );

  test("only a batch's failed messages are redelivered", () => {
    expect(resolve(template, propertiesOf(template, mappingId))).toMatchObject({
      EventSourceArn: 'arn:ClickQueue',
      FunctionName: `arn:${aggregatorId}`,
      Enabled: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });

  // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
  test('the visibility timeout covers 6 function timeouts and the batching window', () => {
    const visibilitySeconds = numberOf(template, 'ClickQueue', 'VisibilityTimeout');
    const timeoutSeconds = numberOf(template, aggregatorId, 'Timeout');
    const windowSeconds = numberOf(template, mappingId, 'MaximumBatchingWindowInSeconds');
    expect(visibilitySeconds).toBeGreaterThanOrEqual(6 * timeoutSeconds + windowSeconds);
  });

  // SQS ignores a message's age from its third receive on, so its age reaches two timeouts.
  test('a single poison message does not set off ClicksDelayed', () => {
    const alarmSeconds = numberOf(template, 'ClicksDelayed', 'Threshold');
    expect(2 * numberOf(template, 'ClickQueue', 'VisibilityTimeout')).toBeLessThan(alarmSeconds);
  });

  test('ClickQueue keeps clicks for 4 days, and ClickDLQ for 14', () => {
    const retentions = ['ClickQueue', 'ClickDLQ', 'ClickRuleDLQ'].map((queue) =>
      numberOf(template, queue, 'MessageRetentionPeriod'),
    );
    expect(retentions).toEqual([345_600, 1_209_600, 1_209_600]);
  });

  test.each(suffixes.slice(1))('ClickQueue%s differs from the first only in its name', (suffix) => {
    const { QueueName: firstName, ...first } = propertiesOf(template, 'ClickQueue');
    const { QueueName, ...others } = propertiesOf(template, `ClickQueue${suffix}`);

    expect(QueueName).toBe(`${firstName}-${suffix}`);
    expect(others).toEqual(first);
  });

  test.each(suffixes.slice(1))(
    'the mapping of ClickQueue%s has the settings of the first',
    (suffix) => {
      const { EventSourceArn, ...others } = propertiesOf(template, `${mappingId}${suffix}`);
      const { EventSourceArn: _, ...first } = propertiesOf(template, mappingId);

      expect(resolve(template, EventSourceArn)).toBe(`arn:ClickQueue${suffix}`);
      expect(others).toEqual(first);
    },
  );

  test('resolve-link and get-backlog know the number of ClickQueues', () => {
    for (const id of ['ResolveLinkLambdaFunction', 'GetBacklogLambdaFunction']) {
      expect(environmentOf(template, id).CLICK_QUEUES).toBe(`${suffixes.length}`);
    }
  });

  test('resolve-link may send to each ClickQueue if it does so first, otherwise to the first only', async () => {
    const statements = await readRole(packageDirOf(name), 'ResolveLinkRole');
    const via = environmentOf(template, 'ResolveLinkLambdaFunction').CLICKS_VIA;
    const allowed = via === 'queue' ? suffixes : [''];

    expect(via).toBe(name === 'prod-with-edge' ? 'queue' : 'bus');
    expect(statements).toContainEqual(
      expect.objectContaining({
        Action: ['sqs:SendMessage'],
        Resource: allowed.map((suffix) => `arn:ClickQueue${suffix}`),
      }),
    );
  });

  test('resolve-link uses a queue only after its rule exists', () => {
    const { DependsOn = [] } = template.Resources.ResolveLinkLambdaFunction ?? {};
    const ofQueues = [DependsOn].flat().filter((id) => /^Click|^Unmatched/.test(id));
    const policies = suffixes.slice(1).map((suffix) => `ClickQueuePolicy${suffix}`);

    expect(ofQueues).toEqual(policies.length > 0 ? [...policies, 'UnmatchedRule'] : []);
  });

  describe('the TTL of a marker', () => {
    const { markerTtlSeconds } = readAggregatorConfig(environmentOf(template, aggregatorId));
    const [target] = propertiesOf(template, 'ClickRule').Targets as [
      { RetryPolicy: { MaximumEventAgeInSeconds: number } },
    ];
    const busSeconds = target.RetryPolicy.MaximumEventAgeInSeconds;
    const queueSeconds = numberOf(template, 'ClickQueue', 'MessageRetentionPeriod');
    const deadSeconds = numberOf(template, 'ClickDLQ', 'MessageRetentionPeriod');
    const ruleDeadSeconds = numberOf(template, 'ClickRuleDLQ', 'MessageRetentionPeriod');

    test('is at least 23 days: 1 on the bus, 4 in the queue, 14 as a dead letter, 4 after a redrive', () => {
      expect(markerTtlSeconds).toBeGreaterThanOrEqual(23 * 24 * 60 * 60);
      expect(markerTtlSeconds).toBeGreaterThanOrEqual(
        busSeconds + queueSeconds + deadSeconds + queueSeconds,
      );
    });

    test('covers a click that is moved back from ClickRuleDLQ', () => {
      expect(markerTtlSeconds).toBeGreaterThanOrEqual(busSeconds + ruleDeadSeconds + queueSeconds);
    });
  });

  test('an old dead letter raises the alarm at least three days before it expires', () => {
    // A dead letter expires by its age since ClickQueue. Its metric starts at ClickDLQ.
    const alarmSeconds = numberOf(template, 'DeadLettersExpiring', 'Threshold');
    const queueSeconds = numberOf(template, 'ClickQueue', 'MessageRetentionPeriod');
    const deadSeconds = numberOf(template, 'ClickDLQ', 'MessageRetentionPeriod');
    const threeDaysSeconds = 3 * 24 * 60 * 60;
    expect(alarmSeconds + queueSeconds + threeDaysSeconds).toBeLessThanOrEqual(deadSeconds);
  });

  test.each(suffixes)(
    'ClickRule%s sends every click to its queue, and failed deliveries to ClickRuleDLQ',
    (suffix) => {
      expect(resolve(template, propertiesOf(template, `ClickRule${suffix}`))).toMatchObject({
        Name: `click-tally-${stage}-clicks${suffix && `-${suffix}`}`,
        EventBusName: 'ClickBus',
        EventPattern: {
          source: [`click-tally${suffix && `.${suffix}`}`],
          'detail-type': ['link.clicked'],
        },
        Targets: [
          {
            Arn: `arn:ClickQueue${suffix}`,
            RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
            DeadLetterConfig: { Arn: 'arn:ClickRuleDLQ' },
          },
        ],
      });
    },
  );

  const fromEventBridge = (Sid: string, queue: string, Condition: object) => ({
    ...{ Sid, Effect: 'Allow', Principal: { Service: 'events.amazonaws.com' } },
    ...{ Action: 'sqs:SendMessage', Resource: `arn:${queue}`, Condition },
  });

  test.each(suffixes)('ClickQueue%s accepts messages only from its rule', (suffix) => {
    const queue = `ClickQueue${suffix}`;
    const allowed = statementsOf(queue).filter(({ Effect }) => Effect === 'Allow');
    const fromItsRule = { ArnEquals: { 'aws:SourceArn': `arn:ClickRule${suffix}` } };
    expect(allowed).toEqual([fromEventBridge('OnlyClickRule', queue, fromItsRule)]);
  });

  test('ClickRuleDLQ accepts messages only from the click rules', () => {
    const allowed = statementsOf('ClickRuleDLQ').filter(({ Effect }) => Effect === 'Allow');
    const rules = `arn:aws:events:us-east-1:123456789012:rule/ClickBus/click-tally-${stage}-clicks*`;
    const fromThem = { ArnLike: { 'aws:SourceArn': rules } };
    expect(allowed).toEqual([fromEventBridge('OnlyClickRules', 'ClickRuleDLQ', fromThem)]);
  });

  test("ClickDLQ's policy only denies", () => {
    expect(statementsOf('ClickDLQ').map(({ Effect }) => Effect)).toEqual(['Deny']);
  });

  test.each(queues)('%s is encrypted and rejects plain HTTP', (queue) => {
    expect(propertiesOf(template, queue)).toMatchObject({ SqsManagedSseEnabled: true });
    expect(statementsOf(queue)).toContainEqual({
      Sid: 'NoPlainHttp',
      Effect: 'Deny',
      Principal: '*',
      Action: 'sqs:*',
      Resource: `arn:${queue}`,
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
  });
});

test('a stage has one queue, unless a param says otherwise', async () => {
  expect(queueSuffixesOf(await readStage('prod'))).toEqual(['']);
  expect(queueSuffixesOf(await readStage('prod-with-edge'))).toEqual(['', '2', '3', '4']);
});

// CloudFormation applies the policy of the template that had the queue.
test('a deployment with fewer queues, such as a rollback, keeps the others with their clicks', async () => {
  const [before, after] = [await readStage('prod-with-edge'), await readStage('prod')];
  const queues = Object.keys(ofType(before, 'AWS::SQS::Queue'));

  const removed = queues.filter((id) => !(id in after.Resources));

  expect(removed).toEqual(['ClickQueue2', 'ClickQueue3', 'ClickQueue4']);
  for (const id of removed) {
    expect(before.Resources[id]).toMatchObject({
      // A failed first deployment leaves nothing behind that stops the next one.
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
  }
});

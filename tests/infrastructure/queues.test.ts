import { describe, expect, test } from 'vitest';
import { readAggregatorConfig } from '../../lib/config.ts';
import {
  aggregatorId,
  environmentOf,
  mappingId,
  numberOf,
  ofType,
  propertiesOf,
  readStage,
  resolve,
  stages,
} from './stage-template.ts';

interface QueuePolicy {
  Queues: string[];
  PolicyDocument: { Statement: { Effect: string }[] };
}

const queues = ['ClickQueue', 'ClickDLQ', 'ClickRuleDLQ'];

describe.each(stages)('the queues of %s', async (stage) => {
  const template = await readStage(stage);

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

  test('the function and the queue agree on the last attempt', () => {
    const maxReceiveCount = numberOf(template, 'ClickQueue', 'RedrivePolicy', 'maxReceiveCount');
    expect(environmentOf(template, aggregatorId).MAX_RECEIVE_COUNT).toBe(`${maxReceiveCount}`);
  });

  test.runIf(['staging', 'prod'].includes(stage))(
    "no click becomes a dead letter in an hour's outage of DynamoDB",
    () => {
      const receives = numberOf(template, 'ClickQueue', 'RedrivePolicy', 'maxReceiveCount');
      const visibilitySeconds = numberOf(template, 'ClickQueue', 'VisibilityTimeout');

      expect(receives * visibilitySeconds).toBeGreaterThan(3_600);
    },
  );

  test('only the failed messages of a batch come again', () => {
    expect(resolve(template, propertiesOf(template, mappingId))).toMatchObject({
      EventSourceArn: 'arn:ClickQueue',
      FunctionName: `arn:${aggregatorId}`,
      Enabled: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });

  test('a batch above 10 messages has a window of a second or two, as Lambda requires', () => {
    const windowSeconds = numberOf(template, mappingId, 'MaximumBatchingWindowInSeconds');
    if (numberOf(template, mappingId, 'BatchSize') > 10) expect([1, 2]).toContain(windowSeconds);
    else expect(windowSeconds).toBe(0);
  });

  // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
  test('the visibility timeout covers 6 function timeouts and the batching window', () => {
    const visibilitySeconds = numberOf(template, 'ClickQueue', 'VisibilityTimeout');
    const timeoutSeconds = numberOf(template, aggregatorId, 'Timeout');
    const windowSeconds = numberOf(template, mappingId, 'MaximumBatchingWindowInSeconds');
    expect(visibilitySeconds).toBeGreaterThanOrEqual(6 * timeoutSeconds + windowSeconds);
  });

  // From its third receipt on, SQS leaves a message out of the oldest age: two timeouts count.
  test('one poisoned click alone does not set off ClicksDelayed', () => {
    expect(2 * numberOf(template, 'ClickQueue', 'VisibilityTimeout')).toBeLessThan(300);
  });

  test('ClickQueue keeps clicks for 4 days, and dead letters stay for 14', () => {
    const retentions = queues.map((queue) => numberOf(template, queue, 'MessageRetentionPeriod'));
    expect(retentions).toEqual([345_600, 1_209_600, 1_209_600]);
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

    test('is at least 23 days: 1 on the bus, 4 in the queue, 14 dead, 4 after a redrive', () => {
      expect(markerTtlSeconds).toBeGreaterThanOrEqual(23 * 24 * 60 * 60);
      expect(markerTtlSeconds).toBeGreaterThanOrEqual(
        busSeconds + queueSeconds + deadSeconds + queueSeconds,
      );
    });

    test('covers a click that comes back from ClickRuleDLQ', () => {
      expect(markerTtlSeconds).toBeGreaterThanOrEqual(busSeconds + ruleDeadSeconds + queueSeconds);
    });
  });

  test('an old dead letter alarms at least three days before it expires', () => {
    // A dead letter's age counts from its arrival in ClickQueue, its metric's from ClickDLQ.
    const alarmSeconds = numberOf(template, 'DeadLettersExpiring', 'Threshold');
    const queueSeconds = numberOf(template, 'ClickQueue', 'MessageRetentionPeriod');
    const deadSeconds = numberOf(template, 'ClickDLQ', 'MessageRetentionPeriod');
    const threeDaysSeconds = 3 * 24 * 60 * 60;
    expect(alarmSeconds + queueSeconds + threeDaysSeconds).toBeLessThanOrEqual(deadSeconds);
  });

  test('ClickRule sends every click to ClickQueue, and failed deliveries to ClickRuleDLQ', () => {
    expect(resolve(template, propertiesOf(template, 'ClickRule'))).toMatchObject({
      EventBusName: 'ClickBus',
      EventPattern: { source: ['click-tally'], 'detail-type': ['link.clicked'] },
      Targets: [{ Arn: 'arn:ClickQueue', DeadLetterConfig: { Arn: 'arn:ClickRuleDLQ' } }],
    });
  });

  test.each(['ClickQueue', 'ClickRuleDLQ'])(
    '%s takes messages from ClickRule and from no other service',
    (queue) => {
      const allowed = statementsOf(queue).filter(({ Effect }) => Effect === 'Allow');
      expect(allowed).toEqual([
        {
          Sid: 'OnlyClickRule',
          Effect: 'Allow',
          Principal: { Service: 'events.amazonaws.com' },
          Action: 'sqs:SendMessage',
          Resource: `arn:${queue}`,
          Condition: { ArnEquals: { 'aws:SourceArn': 'arn:ClickRule' } },
        },
      ]);
    },
  );

  test('the policy of ClickDLQ allows nobody', () => {
    expect(statementsOf('ClickDLQ').map(({ Effect }) => Effect)).toEqual(['Deny']);
  });

  test('there are no other queues', () => {
    expect(Object.keys(ofType(template, 'AWS::SQS::Queue'))).toEqual(queues);
  });

  test.each(queues)('%s is encrypted and refuses plain HTTP', (queue) => {
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

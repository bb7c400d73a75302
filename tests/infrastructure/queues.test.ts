import { describe, expect, test } from 'vitest';
import { readAggregatorConfig } from '../../lib/config.ts';
import {
  environmentOf,
  numberOf,
  ofType,
  propertiesOf,
  readStage,
  resolve,
  STAGES,
} from './stage-template.ts';

type QueuePolicy = { Queues: string[]; PolicyDocument: { Statement: { Effect: string }[] } };

const AGGREGATOR = 'AggregateClicksLambdaFunction';
const MAPPING = 'AggregateClicksEventSourceMappingSQSClickQueue';
const QUEUES = ['ClickQueue', 'ClickDLQ', 'ClickRuleDLQ'];

describe.each(STAGES)('the queues of %s', async (stage) => {
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

  test('the function takes for the last attempt the one that the queue takes for it', () => {
    const maxReceiveCount = numberOf(template, 'ClickQueue', 'RedrivePolicy', 'maxReceiveCount');
    expect(environmentOf(template, AGGREGATOR).MAX_RECEIVE_COUNT).toBe(`${maxReceiveCount}`);
  });

  test('a message that fails alone is the only one to come again', () => {
    expect(resolve(template, propertiesOf(template, MAPPING))).toMatchObject({
      EventSourceArn: 'arn:ClickQueue',
      FunctionName: `arn:${AGGREGATOR}`,
      Enabled: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });

  test('a batch above 10 messages has a window of a second or two, as Lambda demands', () => {
    const windowSeconds = numberOf(template, MAPPING, 'MaximumBatchingWindowInSeconds');
    if (numberOf(template, MAPPING, 'BatchSize') > 10) expect([1, 2]).toContain(windowSeconds);
    else expect(windowSeconds).toBe(0);
  });

  // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
  test('a message stays hidden for at least 6 function timeouts and the batching window', () => {
    const visibilitySeconds = numberOf(template, 'ClickQueue', 'VisibilityTimeout');
    const timeoutSeconds = numberOf(template, AGGREGATOR, 'Timeout');
    const windowSeconds = numberOf(template, MAPPING, 'MaximumBatchingWindowInSeconds');
    expect(visibilitySeconds).toBeGreaterThanOrEqual(6 * timeoutSeconds + windowSeconds);
  });

  // SQS leaves a message out of the oldest age from its third receipt on, so two hidings count.
  test('a poisoned click alone cannot make the oldest click look 5 minutes old', () => {
    expect(2 * numberOf(template, 'ClickQueue', 'VisibilityTimeout')).toBeLessThan(300);
  });

  test('queues keep clicks for 4 days and dead letters for 14', () => {
    const retentions = QUEUES.map((queue) => numberOf(template, queue, 'MessageRetentionPeriod'));
    expect(retentions).toEqual([345_600, 1_209_600, 1_209_600]);
  });

  describe('the life of a marker', () => {
    const { markerTtlSeconds } = readAggregatorConfig(environmentOf(template, AGGREGATOR));
    const [target] = propertiesOf(template, 'ClickRule').Targets as [
      { RetryPolicy: { MaximumEventAgeInSeconds: number } },
    ];
    const busSeconds = target.RetryPolicy.MaximumEventAgeInSeconds;
    const queueSeconds = numberOf(template, 'ClickQueue', 'MessageRetentionPeriod');
    const deadSeconds = numberOf(template, 'ClickDLQ', 'MessageRetentionPeriod');
    const ruleDeadSeconds = numberOf(template, 'ClickRuleDLQ', 'MessageRetentionPeriod');

    test('is 23 days: a day on the bus, 4 in the queue, 14 dead, 4 after a redrive', () => {
      expect(markerTtlSeconds).toBeGreaterThanOrEqual(23 * 24 * 60 * 60);
      expect(markerTtlSeconds).toBeGreaterThanOrEqual(
        busSeconds + queueSeconds + deadSeconds + queueSeconds,
      );
    });

    test('covers a click that comes back from ClickRuleDLQ', () => {
      expect(markerTtlSeconds).toBeGreaterThanOrEqual(busSeconds + ruleDeadSeconds + queueSeconds);
    });

    test('leaves time to act between the alarm for an old dead letter and its end', () => {
      // The dead letter's own clock started when it came to ClickQueue, the metric's when it left.
      const alarmSeconds = numberOf(template, 'DeadLettersExpiring', 'Threshold');
      const threeDaysSeconds = 3 * 24 * 60 * 60;
      expect(alarmSeconds + queueSeconds + threeDaysSeconds).toBeLessThanOrEqual(deadSeconds);
    });
  });

  test('ClickRule sends every click to ClickQueue and keeps in ClickRuleDLQ what it cannot', () => {
    expect(resolve(template, propertiesOf(template, 'ClickRule'))).toMatchObject({
      EventBusName: 'ClickBus',
      EventPattern: { source: ['click-tally'], 'detail-type': ['link.clicked'] },
      Targets: [{ Arn: 'arn:ClickQueue', DeadLetterConfig: { Arn: 'arn:ClickRuleDLQ' } }],
    });
  });

  test.each(['ClickQueue', 'ClickRuleDLQ'])('%s lets in this rule and nothing else', (queue) => {
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
  });

  test('ClickDLQ lets in nobody by its policy', () => {
    expect(statementsOf('ClickDLQ').map(({ Effect }) => Effect)).toEqual(['Deny']);
  });

  test('there are no other queues', () => {
    expect(Object.keys(ofType(template, 'AWS::SQS::Queue'))).toEqual(QUEUES);
  });

  test.each(QUEUES)('%s is encrypted and refuses plain HTTP', (queue) => {
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

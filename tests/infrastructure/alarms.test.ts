import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectDir } from '../../local/engines/serverless.ts';
import { readAlarms, readWidgets } from './metric-readers.ts';
import { propertiesOf, readStage, STAGES } from './stage-template.ts';

const atLeastOne = { ComparisonOperator: 'GreaterThanOrEqualToThreshold', Threshold: 1 };

const EXPECTED = {
  DeadLettersWaiting: { MetricName: 'ApproximateNumberOfMessagesVisible', ...atLeastOne },
  DeadLettersExpiring: {
    MetricName: 'ApproximateAgeOfOldestMessage',
    ...{ ...atLeastOne, Threshold: 604_800 },
  },
  ClicksDeadLettered: { MetricName: 'DeadLetters', ...atLeastOne },
  ClicksDelayed: {
    MetricName: 'ApproximateAgeOfOldestMessage',
    ...{ ComparisonOperator: 'GreaterThanThreshold', Threshold: 300 },
  },
  AggregatorErrors: { MetricName: 'Errors', ...atLeastOne },
  AggregatorThrottles: { MetricName: 'Throttles', ...atLeastOne },
  DuplicateClicksHigh: { ComparisonOperator: 'GreaterThanThreshold', Threshold: 5 },
  ClicksUnpublished: { MetricName: 'ClicksUnpublished', ...atLeastOne },
  BusDeliveriesFailed: { MetricName: 'FailedInvocations', ...atLeastOne },
  RuleDeadLettersWaiting: { MetricName: 'ApproximateNumberOfMessagesVisible', ...atLeastOne },
  CounterDrift: { MetricName: 'CounterDrift', ...atLeastOne },
};

const toAnchor = (logicalId: string) =>
  logicalId.replace(/(?<!^)[A-Z]/g, (capital) => `-${capital}`).toLowerCase();

describe.each(STAGES)('the alarms of %s', async (stage) => {
  const template = await readStage(stage);
  const alarms = readAlarms(template);

  test('are these, each at its threshold', () => {
    expect(Object.keys(alarms).toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
    expect(alarms).toMatchObject(EXPECTED);
  });

  test.each(Object.entries(alarms))('%s calls AlarmTopic, and silence is no alarm', (id, alarm) => {
    expect(alarm).toMatchObject({
      AlarmName: `click-tally-${stage}-${toAnchor(id)}`,
      AlarmActions: ['AlarmTopic'],
      TreatMissingData: 'notBreaching',
    });
  });

  test('those of queues watch the queue that they speak of', () => {
    const queueOf = (id: string) => alarms[id]?.Dimensions?.[0]?.Value;
    expect([
      queueOf('DeadLettersWaiting'),
      queueOf('DeadLettersExpiring'),
      queueOf('ClicksDelayed'),
      queueOf('RuleDeadLettersWaiting'),
    ]).toEqual(['ClickDLQ', 'ClickDLQ', 'ClickQueue', 'ClickRuleDLQ']);
  });

  test('are all on the dashboard', () => {
    const shown = readWidgets(template).flatMap(({ properties }) => properties.alarms ?? []);
    expect(shown.toSorted()).toEqual(
      Object.keys(alarms)
        .map((id) => `arn:${id}`)
        .toSorted(),
    );
  });

  test('reach an encrypted topic, whose key and policy let CloudWatch in', () => {
    expect(propertiesOf(template, 'AlarmTopic').KmsMasterKeyId).toEqual({ Ref: 'AlarmTopicKey' });
    expect(propertiesOf(template, 'AlarmTopicKey')).toMatchObject({ EnableKeyRotation: true });
    const service = { Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' } };
    expect(propertiesOf(template, 'AlarmTopicKey')).toHaveProperty(
      'KeyPolicy.Statement.1',
      expect.objectContaining({ ...service, Action: ['kms:Decrypt', 'kms:GenerateDataKey*'] }),
    );
    expect(propertiesOf(template, 'AlarmTopicPolicy')).toMatchObject({
      Topics: [{ Ref: 'AlarmTopic' }],
      PolicyDocument: { Statement: [{ ...service, Action: 'sns:Publish' }] },
    });
  });

  test('go to an address only where one is set', () => {
    expect(template.Resources.AlarmEmail?.Condition).toBe('HasAlarmEmail');
    const { Endpoint } = propertiesOf(template, 'AlarmEmail');
    expect(template.Conditions.HasAlarmEmail).toEqual({
      'Fn::Not': [{ 'Fn::Equals': [Endpoint, ''] }],
    });
  });
});

describe('the runbook', async () => {
  const alarms = readAlarms(await readStage('prod'));
  const runbook = await readFile(path.join(projectDir, 'docs/runbook.md'), 'utf8');
  const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, heading]) => `${heading}`);

  test.each(Object.entries(alarms))('has the section that %s names', (id, { AlarmDescription }) => {
    expect(AlarmDescription).toMatch(/^\S.*[.] docs\/runbook\.md#[a-z-]+$/);
    expect(AlarmDescription.split('#')[1]).toBe(toAnchor(id));
    // GitHub makes a heading's anchor of its words, in lower case, with dashes between.
    const anchors = headings.map((heading) => heading.toLowerCase().replaceAll(' ', '-'));
    expect(anchors).toContain(toAnchor(id));
  });
});

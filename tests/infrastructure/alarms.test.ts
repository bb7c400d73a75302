import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectDir } from '../../local/engines/serverless.ts';
import { type Alarm, evaluate, readAlarms, readWidgets } from './metric-readers.ts';
import { propertiesOf, readStage, stages } from './stage-template.ts';

/** For each alarm: the metric, the highest value that is still quiet, and one that alarms. */
const boundaries: Record<string, [metric: string, quiet: number, loud: number]> = {
  DeadLettersWaiting: ['ApproximateNumberOfMessagesVisible', 0, 1],
  DeadLettersExpiring: ['ApproximateAgeOfOldestMessage', 604_799, 604_800],
  ClicksDeadLettered: ['DeadLetters', 0, 1],
  ClicksDelayed: ['ApproximateAgeOfOldestMessage', 300, 301],
  AggregatorErrors: ['Errors', 0, 1],
  AggregatorThrottles: ['Throttles', 0, 1],
  DuplicateClicksHigh: ['share', 5, 5.1],
  ClicksUnpublished: ['ClicksUnpublished', 0, 1],
  BusDeliveriesFailed: ['FailedInvocations', 0, 1],
  RuleDeadLettersWaiting: ['ApproximateNumberOfMessagesVisible', 0, 1],
  UnmatchedEvents: ['MatchedEvents', 0, 1],
  CounterDrift: ['CounterDrift', 0, 1],
  PushErrors: ['Errors', 0, 1],
  PushDelayed: ['IteratorAge', 30_000, 30_001],
  PushFailures: ['PushFailures', 0, 1],
  UnreadableRecords: ['UnreadableRecords', 0, 1],
  ConnectionErrors: ['errors', 0, 1],
  AuthorizerErrors: ['Errors', 0, 1],
};

const breaches = ({ ComparisonOperator, Threshold }: Alarm, value: number) =>
  ComparisonOperator === 'GreaterThanThreshold' ? value > Threshold : value >= Threshold;

const toAnchor = (logicalId: string) =>
  logicalId.replace(/(?<!^)[A-Z]/g, (capital) => `-${capital}`).toLowerCase();

describe.each(stages)('the alarms of %s', async (stage) => {
  const template = await readStage(stage);
  const alarms = readAlarms(template);

  test('have a boundary each', () => {
    expect(Object.keys(alarms).toSorted()).toEqual(Object.keys(boundaries).toSorted());
  });

  test.each(Object.entries(alarms))('%s rings beyond its boundary and not before', (id, alarm) => {
    const [metric, quiet, loud] = boundaries[id] ?? [];

    expect(alarm.ComparisonOperator).toMatch(/^GreaterThan(OrEqualTo)?Threshold$/);
    expect(alarm.MetricName ?? alarm.Metrics?.[0]?.Id).toBe(metric);
    expect(breaches(alarm, Number(quiet))).toBe(false);
    expect(breaches(alarm, Number(loud))).toBe(true);
  });

  test.each(Object.entries(alarms))(
    '%s notifies AlarmTopic, and silence is no alarm',
    (id, alarm) => {
      expect(alarm).toMatchObject({
        AlarmName: `click-tally-${stage}-${toAnchor(id)}`,
        AlarmActions: ['AlarmTopic'],
        TreatMissingData: 'notBreaching',
      });
    },
  );

  test.each([
    ...['AggregatorErrors', 'AggregatorThrottles', 'PushErrors', 'PushFailures'],
    ...['ConnectionErrors', 'AuthorizerErrors'],
  ])('%s needs two bad periods of three; one failure heals by itself', (id) => {
    expect(alarms[id]).toMatchObject({ EvaluationPeriods: 3, DatapointsToAlarm: 2 });
  });

  test('of queues watch the queue in their name', () => {
    const queueOf = (id: string) => alarms[id]?.Dimensions?.[0]?.Value;
    expect([
      queueOf('DeadLettersWaiting'),
      queueOf('DeadLettersExpiring'),
      queueOf('ClicksDelayed'),
      queueOf('RuleDeadLettersWaiting'),
    ]).toEqual(['ClickDLQ', 'ClickDLQ', 'ClickQueue', 'ClickRuleDLQ']);
  });

  test('of rules watch their own rule', () => {
    const ruleOf = (id: string) =>
      alarms[id]?.Dimensions?.find(({ Name }) => Name === 'RuleName')?.Value;
    expect(ruleOf('BusDeliveriesFailed')).toBe(propertiesOf(template, 'ClickRule').Name);
    expect(ruleOf('UnmatchedEvents')).toBe(propertiesOf(template, 'UnmatchedRule').Name);
  });

  test.each([
    [{ counted: 94, duplicates: 6 }, 6],
    [{ counted: 0, duplicates: 200 }, 100],
    [{ counted: 0, duplicates: 99 }, 0],
    [{ counted: 0, duplicates: 0 }, 0],
  ])('the share of duplicates in %j is %d %%, from 100 clicks on', (clicks, share) => {
    const expression = alarms.DuplicateClicksHigh?.Metrics?.[0]?.Expression ?? '';

    expect(evaluate(expression, clicks)).toBe(share);
  });

  test('add up what fails in the functions of connections and before them', () => {
    const expression = alarms.ConnectionErrors?.Metrics?.[0]?.Expression ?? '';

    expect(evaluate(expression, { integration: 2, execution: 3 })).toBe(5);
    expect(evaluate(expression, { integration: undefined, execution: 1 })).toBe(1);
  });

  test('are all on the dashboard', () => {
    const shown = readWidgets(template).flatMap(({ properties }) => properties.alarms ?? []);
    expect(shown.toSorted()).toEqual(
      Object.keys(alarms)
        .map((id) => `arn:${id}`)
        .toSorted(),
    );
  });

  test('reach an encrypted topic whose key and policy let CloudWatch in', () => {
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

  test('go to an email address only if one is set', () => {
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

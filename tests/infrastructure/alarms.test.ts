import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectDir } from '../../local/engines/serverless.ts';
import { evaluate, readAlarms, readByAlarms } from './metric-readers.ts';
import { common } from './package-stages.ts';
import {
  isTrue,
  ofType,
  packaged,
  propertiesOf,
  readStage,
  resolve,
  stageOf,
} from './stage-template.ts';

const toDashed = (logicalId: string) =>
  logicalId.replace(/(?<!^)[A-Z]/g, (start) => `-${start}`).toLowerCase();

describe.each(packaged)('the alarms of %s', async (name) => {
  const template = await readStage(name);
  const stage = stageOf(name);
  const alarms = readAlarms(template);
  /** Evaluates an alarm's expression. Other metrics have no data. */
  const measure = (id: string, metrics: Record<string, number | undefined>) => {
    const [{ Expression = '' } = {}, ...read] = alarms[id]?.Metrics ?? [];
    const none = Object.fromEntries(read.map(({ Id }) => [Id, undefined]));
    return evaluate(Expression, { ...none, ...metrics });
  };
  test.each(Object.entries(alarms))(
    '%s notifies AlarmTopic, and missing data does not set it off',
    (id, alarm) => {
      expect(alarm).toMatchObject({
        AlarmName: `click-tally-${stage}-${toDashed(id)}`,
        AlarmActions: ['AlarmTopic'],
        TreatMissingData: 'notBreaching',
      });
    },
  );

  test.each([
    ['ClicksDelayed', 'AWS::SQS::Queue', /^ClickQueue/, {}],
    ['BusDeliveriesFailed', 'AWS::Events::Rule', /^ClickRule/, { ClickRuleDLQ: 1 }],
  ])('%s watches every %s', (id, type, pattern, others) => {
    const watched = readByAlarms(template).filter(({ reader }) => reader === id);
    const names = Object.entries(ofType(template, type))
      .filter(([logicalId]) => pattern.test(logicalId))
      .map(([logicalId, { Properties }]) => (type.endsWith('Rule') ? Properties.Name : logicalId));

    expect(watched.map(({ dimensions: { QueueName, RuleName } }) => RuleName ?? QueueName)).toEqual(
      [...names, ...Object.keys(others)],
    );
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
    expect(watched.length).toBeLessThanOrEqual(10);
  });

  test('ClicksFailing ignores a poisoned click, which SQS redelivers after each visibility timeout', () => {
    const { VisibilityTimeout } = propertiesOf(template, 'ClickQueue');
    const failed = Math.ceil(300 / Number(VisibilityTimeout));

    expect(measure('ClicksFailing', { failed })).toBeLessThan(alarms.ClicksFailing?.Threshold ?? 0);
  });

  test.each<[string, string, Record<string, number | undefined>, number]>([
    ['the share of duplicates', 'DuplicateClicksHigh', { counted: 94, duplicates: 6 }, 6],
    ['the share of duplicates', 'DuplicateClicksHigh', { counted: 0, duplicates: 200 }, 100],
    ['nothing below 100 clicks', 'DuplicateClicksHigh', { counted: 0, duplicates: 99 }, 0],
    ['nothing below 100 clicks', 'DuplicateClicksHigh', { counted: 0, duplicates: 0 }, 0],
    ['the only errors', 'ConnectionErrors', { execution: 1 }, 1],
    ['all errors', 'ConnectionErrors', { integration: 2, execution: 3, checks: 1 }, 6],
    ['the oldest click', 'ClicksDelayed', { q0: 421 }, 421],
    ['late pushes', 'PushFailures', { age: 30_001 }, 1],
    ['failed pushes', 'PushFailures', { failed: 2, age: 30_000 }, 2],
    ['20 failed clicks', 'ClicksFailing', { failed: 20 }, 1],
    ['a crash', 'ClicksFailing', { failed: 19, errors: 1 }, 1],
    ['throttles', 'ClicksFailing', { throttles: 2 }, 2],
    ['a click in ClickRuleDLQ', 'BusDeliveriesFailed', { kept: 1 }, 1],
    ['the share of failed requests', 'ApiErrors', { failed: 5, requests: 10 }, 50],
    ['the share of failed requests', 'ApiErrors', { failed: 30, requests: 2_000 }, 1.5],
    ['nothing below 5 failed requests', 'ApiErrors', { failed: 4, requests: 4 }, 0],
  ])('measure %s: %s of %j is %d', (_, id, metrics, value) => {
    expect(measure(id, metrics)).toBe(value);
  });

  test("count API Gateway's own 429s in the access log as throttled", () => {
    const { LogGroupName, FilterPattern } = propertiesOf(template, 'ThrottledRequests');
    const { AccessLogSettings } = propertiesOf(template, 'HttpApiStage');
    const { Format } = AccessLogSettings as { Format: string };

    expect(LogGroupName).toEqual({ Ref: 'HttpApiLogGroup' });
    expect(FilterPattern).toBe('{ ($.status = "429") && ($.functionMs = "-") }');
    expect(JSON.parse(Format)).toMatchObject({
      status: '$context.status',
      functionMs: '$context.integrationLatency',
    });
  });

  test('go to an e-mail address if there is one', () => {
    const address = resolve(template, propertiesOf(template, 'AlarmEmail').Endpoint);

    expect(template.Resources.AlarmEmail?.Condition).toBe('HasAlarmEmail');
    expect(isTrue(template, 'HasAlarmEmail')).toBe(address !== '');
    if (name !== 'local') expect(address).toBe(common.alarmEmail);
  });

  test('reach an encrypted topic whose key and policy let CloudWatch in, only over TLS', () => {
    expect(propertiesOf(template, 'AlarmTopic').KmsMasterKeyId).toEqual({ Ref: 'AlarmTopicKey' });
    expect(propertiesOf(template, 'AlarmTopicKey')).toMatchObject({ EnableKeyRotation: true });
    const service = { Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' } };
    expect(propertiesOf(template, 'AlarmTopicKey')).toHaveProperty(
      'KeyPolicy.Statement.1',
      expect.objectContaining({ ...service, Action: ['kms:Decrypt', 'kms:GenerateDataKey*'] }),
    );
    expect(propertiesOf(template, 'AlarmTopicPolicy')).toMatchObject({
      Topics: [{ Ref: 'AlarmTopic' }],
    });
    expect(propertiesOf(template, 'AlarmTopicPolicy')).toHaveProperty(
      'PolicyDocument.Statement',
      expect.arrayContaining([
        expect.objectContaining({ ...service, Action: 'sns:Publish' }),
        {
          ...{ Sid: 'NoPlainHttp', Effect: 'Deny', Principal: '*', Action: 'sns:Publish' },
          Resource: { Ref: 'AlarmTopic' },
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        },
      ]),
    );
  });
});

describe('the runbook', async () => {
  const alarms = readAlarms(await readStage('prod'));
  const runbook = await readFile(path.join(projectDir, 'docs/runbook.md'), 'utf8');
  const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, heading]) => `${heading}`);

  test.each(Object.entries(alarms))(
    'has the section that %s links to',
    (id, { AlarmDescription }) => {
      expect(AlarmDescription).toMatch(/^\S.*[.] docs\/runbook\.md#[a-z-]+$/);
      const anchor = toDashed(id);
      expect(AlarmDescription.split('#')[1]).toBe(anchor);
      // GitHub's anchor of a heading: lower case, with dashes for spaces.
      const anchors = headings.map((heading) => heading.toLowerCase().replaceAll(' ', '-'));
      expect(anchors).toContain(anchor);
    },
  );
});

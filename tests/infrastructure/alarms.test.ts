import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectDir } from '../../local/engines/serverless.ts';
import { evaluate, readAlarms } from './metric-readers.ts';
import { common } from './package-stages.ts';
import {
  isTrue,
  ofType,
  packaged,
  propertiesOf,
  queueSuffixesOf,
  readStage,
  resolve,
  stageOf,
} from './stage-template.ts';

/** Strips the number of a further click queue. */
const toKind = (logicalId: string) => logicalId.replace(/\d+$/, '');
const toDashed = (logicalId: string) =>
  logicalId.replace(/(?<!^)[A-Z]|\d+$/g, (start) => `-${start}`).toLowerCase();

describe.each(packaged)('the alarms of %s', async (name) => {
  const template = await readStage(name);
  const stage = stageOf(name);
  const alarms = readAlarms(template);
  const suffixes = queueSuffixesOf(stage);

  test('exist once, except for two that exist for each click queue', () => {
    const further = suffixes
      .slice(1)
      .flatMap((suffix) => [`ClicksDelayed${suffix}`, `BusDeliveriesFailed${suffix}`]);

    expect(Object.keys(alarms).filter((id) => toKind(id) !== id)).toHaveLength(further.length);
    expect(Object.keys(alarms)).toEqual(expect.arrayContaining(further));
  });

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

  test('of queues watch the queue in their name', () => {
    const queueOf = (id: string) => alarms[id]?.Dimensions?.[0]?.Value;
    expect([
      queueOf('DeadLettersWaiting'),
      queueOf('DeadLettersExpiring'),
      queueOf('RuleDeadLettersWaiting'),
    ]).toEqual(['ClickDLQ', 'ClickDLQ', 'ClickRuleDLQ']);
    expect(suffixes.map((suffix) => queueOf(`ClicksDelayed${suffix}`))).toEqual(
      suffixes.map((suffix) => `ClickQueue${suffix}`),
    );
  });

  test('ClicksFailing ignores a poisoned click, which SQS redelivers after each visibility timeout', () => {
    const alarm = alarms.ClicksFailing;
    const { VisibilityTimeout } = propertiesOf(template, 'ClickQueue');

    expect(alarm?.Threshold).toBeGreaterThan(Number(alarm?.Period) / Number(VisibilityTimeout));
  });

  test('of rules watch their own rule', () => {
    const ruleOf = (id: string) =>
      alarms[id]?.Dimensions?.find(({ Name }) => Name === 'RuleName')?.Value;
    expect(suffixes.map((suffix) => ruleOf(`BusDeliveriesFailed${suffix}`))).toEqual(
      suffixes.map((suffix) => propertiesOf(template, `ClickRule${suffix}`).Name),
    );
    expect(ruleOf('UnmatchedEvents')).toBe(propertiesOf(template, 'UnmatchedRule').Name);
  });

  test.each<[string, string, Record<string, number | undefined>, number]>([
    ['the share of duplicates', 'DuplicateClicksHigh', { counted: 94, duplicates: 6 }, 6],
    ['the share of duplicates', 'DuplicateClicksHigh', { counted: 0, duplicates: 200 }, 100],
    ['nothing below 100 clicks', 'DuplicateClicksHigh', { counted: 0, duplicates: 99 }, 0],
    ['nothing below 100 clicks', 'DuplicateClicksHigh', { counted: 0, duplicates: 0 }, 0],
    ['all errors of connections', 'ConnectionErrors', { integration: 2, execution: 3 }, 5],
    ['the only errors', 'ConnectionErrors', { integration: undefined, execution: 1 }, 1],
    ['the share of failed requests', 'ApiErrors', { failed: 5, requests: 10 }, 50],
    ['the share of failed requests', 'ApiErrors', { failed: 30, requests: 2_000 }, 1.5],
    ['nothing below 5 failed requests', 'ApiErrors', { failed: 4, requests: 4 }, 0],
    ['nothing in light traffic', 'RequestsUnusual', { requests: 999 }, 0],
    ['the requests of busy traffic', 'RequestsUnusual', { requests: 1_000 }, 1_000],
  ])('measure %s: %s of %j is %d', (_, id, metrics, value) => {
    expect(evaluate(alarms[id]?.Metrics?.[0]?.Expression ?? '', metrics)).toBe(value);
  });

  test.each(['ApiFunctionErrors', 'ApiFunctionThrottles'])(
    '%s adds up all functions behind the HTTP API, within the limit of metrics',
    (id) => {
      const [sum, ...metrics] = alarms[id]?.Metrics ?? [];
      const watched = metrics.map(({ MetricStat }) => MetricStat?.Metric.Dimensions?.[0]?.Value);
      const ones = metrics.map(({ Id }, index) => [Id, index === 0 ? undefined : 1]);

      expect(watched.toSorted()).toEqual(findFunctionsOfApi());
      expect(evaluate(sum?.Expression ?? '', Object.fromEntries(ones))).toBe(watched.length - 1);
      // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
      expect(metrics.length).toBeLessThanOrEqual(10);
    },
  );

  /** The functions that the HTTP API may invoke. */
  function findFunctionsOfApi(): string[] {
    const permissions = Object.keys(ofType(template, 'AWS::Lambda::Permission'));
    return permissions
      .filter((id) => id.endsWith('LambdaPermissionHttpApi'))
      .map((id) => id.replace('LambdaPermissionHttpApi', 'LambdaFunction'))
      .toSorted();
  }

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
      const anchor = toDashed(toKind(id));
      expect(AlarmDescription.split('#')[1]).toBe(anchor);
      // GitHub's anchor of a heading: lower case, with dashes for spaces.
      const anchors = headings.map((heading) => heading.toLowerCase().replaceAll(' ', '-'));
      expect(anchors).toContain(anchor);
    },
  );
});

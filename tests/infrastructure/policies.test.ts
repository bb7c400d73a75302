import { describe, expect, test } from 'vitest';
import type { Statement } from '../helpers/iam.ts';
import { openStage, packaged } from './stage-template.ts';

interface PolicyStatement extends Statement {
  Principal: string | Record<string, string | string[]>;
}

/** A statement in one line: effect, principal, actions, resource and conditions. */
function toLine({ Effect, Principal, Action, Resource, Condition = {} }: PolicyStatement): string {
  const principal = typeof Principal === 'string' ? Principal : Object.values(Principal);
  const conditions = Object.entries(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, value]) => `${operator} ${key} ${value}`),
  );
  return [Effect, principal, Action, 'on', Resource, ...conditions].join(' ');
}

const account = '123456789012';
const ownAccount = `StringEquals aws:SourceAccount ${account}`;
const ownBudgets = `ArnLike aws:SourceArn arn:aws:budgets::${account}:*`;

const admitAlarms = (action: string) => [
  `Allow cloudwatch.amazonaws.com ${action} ${ownAccount}`,
  `Allow budgets.amazonaws.com ${action} ${ownAccount} ${ownBudgets}`,
];
const admitRule = (queue: string, condition: string) =>
  `Allow events.amazonaws.com sqs:SendMessage on arn:${queue} ${condition}`;
const rejectPlainHttp = (action: string) => `Deny * ${action} Bool aws:SecureTransport false`;

describe.each(packaged)('the resource policies of %s', async (name) => {
  const { template, stage, suffixes, read, readType } = await openStage(name);

  test('admit only its own rules, alarms and budgets, and to queues and the topic only over TLS', () => {
    const found = Object.entries(template.Resources).flatMap(([id, { Type }]) => {
      if (Type === 'AWS::IAM::Role') return [];
      const { Queues, Topics, ...properties } = read(id);
      const documents = Object.values(properties) as ({ Statement?: PolicyStatement[] } | null)[];
      const statements = documents.flatMap((document) => document?.Statement ?? []);
      return statements.length > 0 ? [[`${Queues ?? Topics ?? id}`, statements.map(toLine)]] : [];
    });
    const rule = `arn:aws:events:us-east-1:${account}:rule/ClickBus/click-tally-${stage}`;
    const bucket = 'arn:aws:s3:::ServerlessDeploymentBucket';
    const log = `on arn:aws:logs:us-east-1:${account}:log-group:/aws/events/click-tally-${stage}-unmatched:*`;
    const logging = 'Allow events.amazonaws.com,delivery.logs.amazonaws.com';

    expect(Object.fromEntries(found)).toEqual({
      ...Object.fromEntries(
        suffixes.map((suffix) => [
          `ClickQueue${suffix}`,
          [
            admitRule(`ClickQueue${suffix}`, `ArnEquals aws:SourceArn arn:ClickRule${suffix}`),
            rejectPlainHttp(`sqs:* on arn:ClickQueue${suffix}`),
          ],
        ]),
      ),
      ...(name === 'prod-with-standby' && {
        ReplicationDLQ: [rejectPlainHttp('sqs:* on arn:ReplicationDLQ')],
      }),
      ClickDLQ: [rejectPlainHttp('sqs:* on arn:ClickDLQ')],
      ClickRuleDLQ: [
        admitRule('ClickRuleDLQ', `ArnLike aws:SourceArn ${rule}-clicks*`),
        rejectPlainHttp('sqs:* on arn:ClickRuleDLQ'),
      ],
      UnmatchedEventsLogGroup: [
        `${logging} logs:CreateLogStream ${log}`,
        `${logging} logs:PutLogEvents ${log} ArnEquals aws:SourceArn ${rule}-unmatched`,
      ],
      AlarmTopic: [
        ...admitAlarms('sns:Publish on AlarmTopic'),
        rejectPlainHttp('sns:Publish on AlarmTopic'),
      ],
      ServerlessDeploymentBucketPolicy: [rejectPlainHttp(`s3:* on ${bucket}/*,${bucket}`)],
    });
  });

  test('let only its own APIs and schedule invoke functions', () => {
    const permissions = Object.values(readType('Lambda::Permission'));
    const bySource = Map.groupBy(permissions, (one) => `${one.Principal} ${one.SourceArn}`);
    const invoked = [...bySource].map(([source, some]) => [
      source,
      some.map(({ FunctionName }) => /^arn:(.*)LambdaFunction$/.exec(`${FunctionName}`)?.[1]),
    ]);
    const api = `apigateway.amazonaws.com arn:aws:execute-api:us-east-1:${account}`;

    const { [`${api}:HttpApi/*`]: http, ...others } = Object.fromEntries(invoked);
    expect(others).toEqual({
      [`${api}:WebsocketsApi/authorizers/*`]: ['AuthorizeConnection'],
      [`${api}:WebsocketsApi/${stage}/*`]: ['OpenConnection', 'CloseConnection', 'WatchLinks'],
      'events.amazonaws.com arn:PurgeLinksEventsRuleSchedule1': ['PurgeLinks'],
    });
    // Each route's function, which api.test compares with its table of routes.
    expect(http).toContain('ResolveLink');
    for (const name of ['AggregateClicks', 'PushCounts', 'PurgeLinks', 'WatchLinks']) {
      expect(http).not.toContain(name);
    }
    // Otherwise deleted links would stay.
    expect(read('PurgeLinksEventsRuleSchedule1')).toMatchObject({
      ScheduleExpression: 'rate(1 day)',
      State: 'ENABLED',
      Targets: [{ Arn: 'arn:PurgeLinksLambdaFunction' }],
    });
  });
});

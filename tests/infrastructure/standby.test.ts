import { expect, test } from 'vitest';
import { packageService } from '../../local/engines/serverless.ts';
import { isAllowed } from '../helpers/iam.ts';
import { createTestDir } from '../helpers/test-dir.ts';
import { listAccesses, readDeployRole } from './deploy-role.ts';
import { common } from './package-stages.ts';
import { openPackage, openStage } from './stage-template.ts';

await using dir = await createTestDir();
await packageService({
  stage: 'prod',
  serviceFile: 'standby.yml',
  outDir: dir.path,
  params: { ...common, homeRegion: 'eu-west-1' },
  isEmpty: true,
});
const standby = await openPackage(dir.path);
const home = await openStage('prod-with-standby');
const withoutStandby = await openStage('prod');

interface Rule {
  EventPattern: object;
  Targets: object[];
}

test('the standby forwards what the home bus counts, for 24 hours, and keeps the rest in its own Region', () => {
  const { EventPattern, Targets } = standby.read<Rule>('ForwardRule');
  const { EventPattern: counted } = home.read<{ EventPattern: { 'detail-type': string[] } }>(
    'ClickRule',
  );

  expect(EventPattern).toEqual({
    source: [{ prefix: 'click-tally' }],
    'detail-type': counted['detail-type'],
  });
  expect(Targets).toEqual([
    {
      Id: 'HomeBus',
      Arn: 'arn:aws:events:eu-west-1:123456789012:event-bus/click-tally-prod',
      RoleArn: 'arn:ForwardRole',
      RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
      DeadLetterConfig: { Arn: 'arn:StandbyDLQ' },
    },
  ]);
  expect(standby.read('StandbyDLQ')).toMatchObject({ MessageRetentionPeriod: 1_209_600 });
  expect(home.read('ClickBus')).toEqual({ Name: 'click-tally-prod' });
});

test('only the rule may take the role that sends to the home bus, which allows nothing else', () => {
  const rule =
    'arn:aws:events:us-east-1:123456789012:rule/StandbyBus/click-tally-standby-prod-forward';

  expect(standby.read('ForwardRole')).toMatchObject({
    AssumeRolePolicyDocument: {
      Statement: [
        {
          Principal: { Service: 'events.amazonaws.com' },
          Condition: { ArnEquals: { 'aws:SourceArn': rule } },
        },
      ],
    },
  });
  expect(standby.roles.Forward).toEqual([
    {
      Effect: 'Allow',
      Action: ['events:PutEvents'],
      Resource: 'arn:aws:events:eu-west-1:123456789012:event-bus/click-tally-prod',
    },
  ]);
});

test("the standby's redirect may only read links, and send clicks to its own bus and queue", () => {
  const statements = standby.roles.ResolveLink ?? [];
  const actions = statements.map(({ Action, Resource }) => `${Action} on ${Resource}`);

  expect(actions).toEqual([
    'logs:CreateLogStream,logs:PutLogEvents on arn:ResolveLinkLogGroup:*',
    'dynamodb:GetItem on arn:StandbyTable',
    'events:PutEvents on arn:StandbyBus',
    'sqs:SendMessage on arn:StandbyDLQ',
  ]);
  expect(standby.environment('ResolveLink')).toMatchObject({
    TABLE_NAME: 'StandbyTable',
    BUS_NAME: 'StandbyBus',
    CLICK_QUEUE_URL: 'StandbyDLQ',
    // Its role can't read a key for marks.
    COUNT_VISITORS: 'false',
  });
});

test('replicate-links writes to the table that the standby has, and to no other attribute', () => {
  const { TableName } = standby.read<{ TableName: string }>('StandbyTable');
  const put = (names: string[]) => ({
    action: 'dynamodb:PutItem',
    resource: `arn:aws:dynamodb:us-west-2:123456789012:table/${TableName}`,
    keys: {
      'dynamodb:LeadingKeys': ['LINK#a'],
      'dynamodb:Attributes': ['PK', 'SK', 'version', ...names],
    },
  });
  const role = home.roles.ReplicateLinks ?? [];

  expect(home.environment('ReplicateLinks')).toMatchObject({
    STANDBY_REGION: 'us-west-2',
    STANDBY_TABLE_NAME: TableName,
  });
  expect(isAllowed(role, put(['url', 'forwardQuery', 'expiresAt', 'disabled', 'deletedAt']))).toBe(
    true,
  );
  expect(isAllowed(role, put(['owner']))).toBe(false);
});

test('clicks do not invoke replicate-links, which gives up on a change only when the stream drops it', () => {
  const mapping = home.read<{ FilterCriteria: { Filters: { Pattern: string }[] } }>(
    'ReplicateLinksEventSourceMappingDynamodbClickTable',
  );
  const patterns = mapping.FilterCriteria.Filters.map(({ Pattern }) => JSON.parse(Pattern));

  expect(patterns).toEqual([
    {
      eventName: ['INSERT', 'MODIFY'],
      dynamodb: { Keys: { PK: { S: [{ prefix: 'CHANGE#' }] } } },
    },
  ]);
  expect(mapping).toMatchObject({
    BisectBatchOnFunctionError: true,
    MaximumRecordAgeInSeconds: 82_800,
    DestinationConfig: { OnFailure: { Destination: 'arn:ReplicationDLQ' } },
  });
  expect(mapping).not.toHaveProperty('MaximumRetryAttempts');
});

test('markers outlive the way over both buses, and without a standby nothing changes', () => {
  expect(home.environment('AggregateClicks').BUS_RETRY_SECONDS).toBe('172800');
  expect(withoutStandby.environment('AggregateClicks').BUS_RETRY_SECONDS).toBe('86400');
  expect(
    Object.keys(withoutStandby.template.Resources).filter((id) => /Replic|Standby/.test(id)),
  ).toEqual([]);
});

test('CloudFront asks the standby if the home Region fails, but never for a 404 or for the API', () => {
  interface Behavior {
    PathPattern?: string;
    TargetOriginId: string;
    AllowedMethods?: string[];
  }
  const { DistributionConfig } = home.read<{
    DistributionConfig: { DefaultCacheBehavior: Behavior; CacheBehaviors: Behavior[] };
  }>('Distribution');

  expect(DistributionConfig).toMatchObject({
    Origins: [
      { Id: 'api' },
      { Id: 'redirect', ConnectionAttempts: 1, CustomOriginConfig: { OriginReadTimeout: 4 } },
      { Id: 'standby', DomainName: 'standby.execute-api.us-west-2.amazonaws.com' },
    ],
    OriginGroups: {
      Items: [
        {
          FailoverCriteria: { StatusCodes: { Items: [500, 502, 503, 504] } },
          Members: { Items: [{ OriginId: 'redirect' }, { OriginId: 'standby' }] },
        },
      ],
    },
    DefaultCacheBehavior: {
      TargetOriginId: 'redirect-or-standby',
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS'],
    },
  });
  const ofApi = DistributionConfig.CacheBehaviors.filter(({ AllowedMethods }) => AllowedMethods);
  expect(ofApi.map(({ PathPattern }) => PathPattern)).toEqual([
    '/',
    '/links',
    '/links/*',
    '/api/*',
    '/live/*',
  ]);
  expect(new Set(ofApi.map(({ TargetOriginId }) => TargetOriginId))).toEqual(new Set(['api']));
});

test('each alarm of the standby has a section in the runbook, and notifies a topic in its own Region', () => {
  const alarms = Object.entries(standby.readType('CloudWatch::Alarm'));

  expect(
    alarms.map(([id, { AlarmDescription, AlarmActions }]) => [
      id,
      `${AlarmDescription}`.split('docs/')[1],
      AlarmActions,
    ]),
  ).toEqual([
    ['StandbyClicksWaiting', 'runbook.md#standby-clicks-waiting', ['AlarmTopic']],
    ['ClicksUnpublished', 'runbook.md#clicks-unpublished', ['AlarmTopic']],
  ]);
});

test("its alarms read its own queue's and function's metrics, and missing data doesn't set them off", () => {
  expect(standby.readType('CloudWatch::Alarm')).toMatchObject({
    StandbyClicksWaiting: {
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [{ Name: 'QueueName', Value: 'StandbyDLQ' }],
      Statistic: 'Maximum',
      Threshold: 1,
      TreatMissingData: 'notBreaching',
    },
    ClicksUnpublished: {
      Namespace: standby.environment('ResolveLink').POWERTOOLS_METRICS_NAMESPACE,
      MetricName: 'ClicksUnpublished',
      Dimensions: [
        { Name: 'service', Value: standby.environment('ResolveLink').POWERTOOLS_SERVICE_NAME },
        { Name: 'stage', Value: 'prod' },
      ],
      Statistic: 'Sum',
      Threshold: 1,
      TreatMissingData: 'notBreaching',
    },
  });
});

test('only its rule may send to its queue, nobody over plain HTTP, and no other account to its bus', () => {
  expect(standby.readType('SQS::QueuePolicy')).toMatchObject({
    StandbyDLQPolicy: {
      Queues: ['StandbyDLQ'],
      PolicyDocument: {
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Service: 'events.amazonaws.com' },
            Action: 'sqs:SendMessage',
            Condition: {
              ArnEquals: {
                'aws:SourceArn':
                  'arn:aws:events:us-east-1:123456789012:rule/StandbyBus/click-tally-standby-prod-forward',
              },
            },
          },
          {
            Effect: 'Deny',
            Action: 'sqs:*',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
        ],
      },
    },
  });
  expect(standby.read('StandbyBusPolicy')).toMatchObject({
    EventBusName: 'StandbyBus',
    Statement: {
      Effect: 'Deny',
      Principal: '*',
      Action: 'events:PutEvents',
      Condition: { StringNotEquals: { 'aws:PrincipalAccount': '123456789012' } },
    },
  });
});

test('only its API may invoke its function, at most as often as its param says', () => {
  const sources = Object.values(standby.readType('Lambda::Permission')).map(
    ({ Principal, SourceArn }) => `${Principal} ${SourceArn}`,
  );

  expect(new Set(sources)).toEqual(
    new Set(['apigateway.amazonaws.com arn:aws:execute-api:us-east-1:123456789012:HttpApi/*']),
  );
  expect(standby.read('HttpApiStage')).toMatchObject({
    DefaultRouteSettings: { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 100 },
  });
});

test('the boundary of the role that deploys it permits what its roles do', async () => {
  const { boundary } = await readDeployRole('standby-prod');
  const accesses = listAccesses(standby, 'click-tally-standby-prod');

  expect(accesses).toContainEqual({
    action: 'events:PutEvents',
    resource: 'arn:aws:events:eu-west-1:123456789012:event-bus/click-tally-prod',
    keys: {},
  });
  expect(accesses.filter((access) => !isAllowed(boundary.statements, access))).toEqual([]);
});

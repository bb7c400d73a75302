import { describe, expect, test } from 'vitest';
import type { Statement } from '../helpers/iam.ts';
import { readRole } from '../helpers/roles.ts';
import {
  ofType,
  packageDirOf,
  packaged,
  propertiesOf,
  queueSuffixesOf,
  readStage,
  resolve,
  type Stage,
  stageOf,
} from './stage-template.ts';

const liveApi = 'aws:execute-api:us-east-1:123456789012:WebsocketsApi';

const onClickQueues = (stage: Stage, action: string) =>
  queueSuffixesOf(stage).map((suffix) => `${action} on ClickQueue${suffix}`);

/** Every permission that a function's code needs, apart from tracing and its own log. */
const neededIn = (stage: Stage): Record<string, string[]> => ({
  CreateLink: [
    'dynamodb:GetItem on ClickTable',
    'dynamodb:PutItem on ClickTable',
    'dynamodb:UpdateItem on ClickTable',
  ],
  ListLinks: [
    'dynamodb:BatchGetItem on ClickTable',
    'dynamodb:GetItem on ClickTable',
    'dynamodb:Query on ClickTable/index/LinksByOwner',
  ],
  UpdateLink: ['dynamodb:UpdateItem on ClickTable'],
  ResolveLink: [
    'dynamodb:GetItem on ClickTable',
    'events:PutEvents on ClickBus',
    'sqs:SendMessage on ClickQueue',
  ],
  GetLinkStats: ['dynamodb:GetItem on ClickTable', 'dynamodb:Query on ClickTable'],
  GetBacklog: [
    'dynamodb:GetItem on ClickTable',
    'dynamodb:UpdateItem on ClickTable',
    'sqs:GetQueueAttributes on ClickDLQ',
    'sqs:GetQueueAttributes on ClickRuleDLQ',
    ...onClickQueues(stage, 'sqs:GetQueueAttributes'),
  ],
  TryClicks: [
    'dynamodb:BatchGetItem on ClickTable',
    'dynamodb:GetItem on ClickTable',
    'events:PutEvents on ClickBus',
  ],
  AggregateClicks: [
    'dynamodb:BatchGetItem on ClickTable',
    'dynamodb:PutItem on ClickTable',
    'dynamodb:UpdateItem on ClickTable',
    ...onClickQueues(stage, 'sqs:DeleteMessage'),
    ...onClickQueues(stage, 'sqs:GetQueueAttributes'),
    ...onClickQueues(stage, 'sqs:ReceiveMessage'),
  ],
  AuthorizeConnection: [],
  OpenConnection: ['dynamodb:PutItem on ClickTable'],
  CloseConnection: ['dynamodb:DeleteItem on ClickTable'],
  WatchLinks: [
    'dynamodb:BatchGetItem on ClickTable',
    'dynamodb:DeleteItem on ClickTable',
    'dynamodb:PutItem on ClickTable',
    'dynamodb:UpdateItem on ClickTable',
    `execute-api:ManageConnections on ${liveApi}/${stage}/DELETE/@connections/*`,
    `execute-api:ManageConnections on ${liveApi}/${stage}/POST/@connections/*`,
  ],
  PushCounts: [
    'dynamodb:DeleteItem on ClickTable',
    'dynamodb:DescribeStream on stream:ClickTable',
    'dynamodb:GetRecords on stream:ClickTable',
    'dynamodb:GetShardIterator on stream:ClickTable',
    'dynamodb:ListStreams on stream:ClickTable',
    'dynamodb:Query on ClickTable',
    `execute-api:ManageConnections on ${liveApi}/${stage}/POST/@connections/*`,
  ],
});

/** The leading keys of each permission on the table. */
const leadingKeys: Record<string, Record<string, string[]>> = {
  CreateLink: {
    'dynamodb:PutItem': ['LINK#*'],
    'dynamodb:UpdateItem': ['OWNER#*'],
    'dynamodb:GetItem': ['LINK#*'],
  },
  ListLinks: { 'dynamodb:BatchGetItem': ['LINK#*'], 'dynamodb:GetItem': ['LINK#*'] },
  UpdateLink: { 'dynamodb:UpdateItem': ['LINK#*'] },
  ResolveLink: { 'dynamodb:GetItem': ['LINK#*'] },
  GetLinkStats: { 'dynamodb:GetItem': ['LINK#*'], 'dynamodb:Query': ['LINK#*'] },
  AggregateClicks: {
    'dynamodb:PutItem': ['CLICK#*'],
    'dynamodb:UpdateItem': ['LINK#*', 'CLICKS#*'],
    'dynamodb:BatchGetItem': ['CLICK#*', 'CLICKS#*'],
  },
  OpenConnection: { 'dynamodb:PutItem': ['CONNECTION#*'] },
  CloseConnection: { 'dynamodb:DeleteItem': ['CONNECTION#*', 'WATCH#*'] },
  WatchLinks: {
    'dynamodb:PutItem': ['CONNECTION#*', 'WATCH#*'],
    'dynamodb:UpdateItem': ['CONNECTION#*', 'WATCH#*'],
    'dynamodb:DeleteItem': ['CONNECTION#*', 'WATCH#*'],
    'dynamodb:BatchGetItem': ['LINK#*'],
  },
  PushCounts: {
    'dynamodb:Query': ['WATCH#*'],
    'dynamodb:DeleteItem': ['CONNECTION#*', 'WATCH#*'],
  },
  GetBacklog: { 'dynamodb:GetItem': ['BACKLOG'], 'dynamodb:UpdateItem': ['BACKLOG'] },
  TryClicks: { 'dynamodb:GetItem': ['LINK#*'], 'dynamodb:BatchGetItem': ['CLICK#*'] },
};

const permissionsOf = (statements: Statement[]) =>
  statements
    .flatMap(({ Action, Resource }) =>
      Action.flatMap((action) =>
        [Resource].flat().map((resource) => `${action} on ${resource.replace('arn:', '')}`),
      ),
    )
    .toSorted();

describe.each(packaged)('the roles of %s', async (packageName) => {
  const template = await readStage(packageName);
  const functionIds = Object.keys(ofType(template, 'AWS::Lambda::Function'));
  // BackupRole is AWS Backup's own; backups.test.ts is about it.
  const roleIds = Object.keys(ofType(template, 'AWS::IAM::Role')).filter(
    (id) => id !== 'BackupRole',
  );

  const roleOf = (functionId: string) =>
    `${resolve(template, propertiesOf(template, functionId).Role)}`.slice('arn:'.length);

  const statementsOf = (roleId: string) => readRole(packageDirOf(packageName), roleId);

  test('belong to one function each', () => {
    const used = functionIds.map(roleOf);
    expect(new Set(used).size).toBe(functionIds.length);
    expect(used.toSorted()).toEqual(roleIds.toSorted());
  });

  test.each(functionIds)('let %s do what it needs and nothing else', async (functionId) => {
    const name = functionId.replace('LambdaFunction', '');
    const { TracingConfig } = propertiesOf(template, functionId);
    const isTraced = (TracingConfig as { Mode: string }).Mode === 'Active';
    const statements = await statementsOf(roleOf(functionId));

    expect(permissionsOf(statements)).toEqual(
      [
        ...(neededIn(stageOf(packageName))[name] ?? []),
        `logs:CreateLogStream on ${name}LogGroup`,
        `logs:PutLogEvents on ${name}LogGroup`,
        ...(isTraced ? ['xray:PutTelemetryRecords on *', 'xray:PutTraceSegments on *'] : []),
      ].toSorted(),
    );
    expect(new Set(statements.map(({ Effect }) => Effect))).toEqual(new Set(['Allow']));
  });

  test.each(['AggregateClicks', 'CreateLink'])(
    'let %s write only within a transaction',
    async (name) => {
      const statements = await statementsOf(`${name}Role`);
      const writes = statements.filter(({ Action }) =>
        Action.some((action) => /^dynamodb:(Put|Update)Item$/.test(action)),
      );

      const required = { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] };
      expect(writes.map(({ Condition }) => Condition?.['ForAnyValue:StringEquals'])).toEqual([
        required,
        required,
      ]);
    },
  );

  test.each(roleIds)('let %s touch only the items of its kind', async (roleId) => {
    const onTable = (await statementsOf(roleId)).filter(
      ({ Resource }) => Resource === 'arn:ClickTable',
    );
    const found = onTable.flatMap(({ Action, Condition }) => {
      const { 'dynamodb:LeadingKeys': keys } = Condition?.['ForAllValues:StringLike'] ?? {};
      return Action.map((action) => [action, keys]);
    });

    expect(Object.fromEntries(found)).toEqual(leadingKeys[roleId.replace(/Role$/, '')] ?? {});
  });

  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
  test.each(roleIds)('are small enough for the inline policies of a role: %s', async (roleId) => {
    const policy = JSON.stringify(await statementsOf(roleId));

    // A tenth stands for the ARNs, which are longer than logical ids.
    expect(policy.length).toBeLessThan(10_240 * 0.9);
  });

  test.each(roleIds)('trust Lambda alone: %s', (roleId) => {
    const { AssumeRolePolicyDocument, ManagedPolicyArns } = propertiesOf(template, roleId);

    expect(AssumeRolePolicyDocument).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Service: 'lambda.amazonaws.com' },
          Action: 'sts:AssumeRole',
        },
      ],
    });
    expect(ManagedPolicyArns).toBeUndefined();
  });
});

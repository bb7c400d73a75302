import { describe, expect, test } from 'vitest';
import { ofType, propertiesOf, readStage, resolve, stages } from './stage-template.ts';

interface Statement {
  Effect: string;
  Action: string[];
  Resource: string | string[];
  Condition?: object;
}

const liveApi = 'aws:execute-api:us-east-1:123456789012:WebsocketsApi';

/** Every permission that a function's code needs, apart from tracing and its own log. */
const neededIn = (stage: string): Record<string, string[]> => ({
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
    'sqs:GetQueueAttributes on ClickQueue',
    'sqs:GetQueueAttributes on ClickRuleDLQ',
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
    'sqs:DeleteMessage on ClickQueue',
    'sqs:GetQueueAttributes on ClickQueue',
    'sqs:ReceiveMessage on ClickQueue',
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

/** The leading keys of each permission on the table of the functions that know its prefixes. */
const leadingKeys: Record<string, Record<string, string[]>> = {
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

describe.each(stages)('the roles of %s', async (stage) => {
  const template = await readStage(stage);
  const functionIds = Object.keys(ofType(template, 'AWS::Lambda::Function'));
  const roleIds = Object.keys(ofType(template, 'AWS::IAM::Role'));

  const roleOf = (functionId: string) =>
    `${resolve(template, propertiesOf(template, functionId).Role)}`.slice('arn:'.length);

  const statementsOf = (roleId: string): Statement[] => {
    const role = resolve(template, propertiesOf(template, roleId)) as {
      Policies: { PolicyDocument: { Statement: Statement[] } }[];
    };
    return role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  };

  test('belong to one function each', () => {
    const used = functionIds.map(roleOf);
    expect(new Set(used).size).toBe(functionIds.length);
    expect(used.toSorted()).toEqual(roleIds.toSorted());
  });

  test.each(functionIds)('let %s do what it needs and nothing else', (functionId) => {
    const name = functionId.replace('LambdaFunction', '');
    const statements = statementsOf(roleOf(functionId));

    expect(permissionsOf(statements)).toEqual(
      [
        ...(neededIn(stage)[name] ?? []),
        `logs:CreateLogStream on ${name}LogGroup`,
        `logs:PutLogEvents on ${name}LogGroup`,
        'xray:PutTelemetryRecords on *',
        'xray:PutTraceSegments on *',
      ].toSorted(),
    );
    expect(new Set(statements.map(({ Effect }) => Effect))).toEqual(new Set(['Allow']));
  });

  test.each(['AggregateClicks', 'CreateLink'])('let %s write only within a transaction', (name) => {
    const statements = statementsOf(roleOf(`${name}LambdaFunction`));
    const writes = statements.filter(({ Action }) =>
      Action.some((action) => /^dynamodb:(Put|Update)Item$/.test(action)),
    );

    expect(writes.map(({ Condition }) => Condition)).toEqual([
      { 'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] } },
    ]);
  });

  test.each(Object.entries(leadingKeys).filter(([name]) => roleIds.includes(`${name}Role`)))(
    'let %s touch only the items of its kind',
    (name, keys) => {
      const onTable = statementsOf(roleOf(`${name}LambdaFunction`)).filter(
        ({ Resource }) => Resource === 'arn:ClickTable',
      );
      const found = onTable.flatMap(({ Action, Condition }) =>
        Action.map((action) => [action, Condition] as const),
      );

      expect(Object.fromEntries(found)).toEqual(
        Object.fromEntries(
          Object.entries(keys).map(([action, prefixes]) => [
            action,
            { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': prefixes } },
          ]),
        ),
      );
    },
  );

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

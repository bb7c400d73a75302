import { describe, expect, test } from 'vitest';
import { ofType, propertiesOf, readStage, resolve, STAGES } from './stage-template.ts';

type Statement = { Effect: string; Action: string[]; Resource: string; Condition?: object };

const TRACE = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'];
const LOG = ['logs:CreateLogStream', 'logs:PutLogEvents'];

/** What each function may do beside tracing and writing its own log. */
const EXPECTED: Record<string, Omit<Statement, 'Effect'>[]> = {
  CreateLink: [{ Action: ['dynamodb:PutItem'], Resource: 'arn:ClickTable' }],
  ResolveLink: [
    { Action: ['dynamodb:GetItem'], Resource: 'arn:ClickTable' },
    { Action: ['events:PutEvents'], Resource: 'arn:ClickBus' },
    { Action: ['sqs:SendMessage'], Resource: 'arn:ClickQueue' },
  ],
  GetLinkStats: [{ Action: ['dynamodb:GetItem', 'dynamodb:Query'], Resource: 'arn:ClickTable' }],
  AggregateClicks: [
    {
      Action: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
      Resource: 'arn:ClickTable',
      Condition: {
        'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] },
      },
    },
    { Action: ['dynamodb:GetItem'], Resource: 'arn:ClickTable' },
    {
      Action: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      Resource: 'arn:ClickQueue',
    },
  ],
};

describe.each(STAGES)('the roles of %s', async (stage) => {
  const template = await readStage(stage);
  const functionIds = Object.keys(ofType(template, 'AWS::Lambda::Function'));
  const roleIds = Object.keys(ofType(template, 'AWS::IAM::Role'));

  const roleOf = (functionId: string) =>
    `${resolve(template, propertiesOf(template, functionId).Role)}`.slice('arn:'.length);

  const statementsOf = (roleId: string): Statement[] => {
    const role = resolve(template, propertiesOf(template, roleId)) as {
      ManagedPolicyArns?: string[];
      Policies: { PolicyDocument: { Statement: Statement[] } }[];
    };
    expect(role.ManagedPolicyArns).toBeUndefined();
    return role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  };

  test('every function has a role of its own, and there is no other role', () => {
    const used = functionIds.map(roleOf);
    expect(new Set(used).size).toBe(4);
    expect(used.toSorted()).toEqual(roleIds.toSorted());
  });

  test.each(functionIds)('%s may do what it does and nothing else', (functionId) => {
    const name = functionId.replace('LambdaFunction', '');
    const statements = statementsOf(roleOf(functionId));
    expect(statements).toEqual([
      { Effect: 'Allow', Action: TRACE, Resource: '*' },
      { Effect: 'Allow', Action: LOG, Resource: `arn:${name}LogGroup` },
      ...(EXPECTED[name] ?? []).map((statement) => ({ Effect: 'Allow', ...statement })),
    ]);
  });

  test.each(roleIds)('%s is for Lambda alone', (roleId) => {
    expect(propertiesOf(template, roleId).AssumeRolePolicyDocument).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Service: 'lambda.amazonaws.com' },
          Action: 'sts:AssumeRole',
        },
      ],
    });
  });

  test('no role has a wildcard action, nor a wildcard resource but for X-Ray', () => {
    for (const { Action, Resource } of roleIds.flatMap(statementsOf)) {
      expect(Action.filter((action) => action.includes('*'))).toEqual([]);
      if (Resource.includes('*')) expect(Action).toEqual(TRACE);
    }
  });

  test('only the resolver may send to ClickQueue', () => {
    const senders = functionIds.filter((functionId) =>
      statementsOf(roleOf(functionId)).some(({ Action }) => Action.includes('sqs:SendMessage')),
    );
    expect(senders).toEqual(['ResolveLinkLambdaFunction']);
  });
});

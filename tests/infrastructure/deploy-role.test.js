import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isAllowed } from '../helpers/iam.ts';
import { openStage, packaged } from './stage-template.ts';

const file = new URL('../../.github/deploy-role.yml', import.meta.url);
/** The deploy workflow's role for a stage, and the boundary of the roles that it creates. */
async function readDeployRole(stage) {
  const boundaryArn = `arn:aws:iam::123456789012:policy/deploy-click-tally-${stage}`;
  const text = (await readFile(file, 'utf8'))
    .replaceAll(/\$\{AWS::Partition\}/g, 'aws')
    .replaceAll(/\$\{AWS::AccountId\}/g, '123456789012')
    .replaceAll(/\$\{Stage\}/g, stage)
    .replaceAll('!Ref Boundary', boundaryArn);
  // Unknown tags, such as !Sub, parse as their arguments.
  const { DeployRole, Boundary } = parse(text, { logLevel: 'error' }).Resources;
  const { Policies, ManagedPolicyArns = [] } = DeployRole.Properties;
  return {
    statements: Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
    managedPolicies: ManagedPolicyArns,
    boundary: {
      name: Boundary.Properties.ManagedPolicyName,
      statements: Boundary.Properties.PolicyDocument.Statement,
    },
    boundaryArn,
  };
}
const { statements, managedPolicies, boundary, boundaryArn } = await readDeployRole('dev');
const prod = await readDeployRole('prod');
/** Services whose ARNs don't start with arn:aws:service:us-east-1:123456789012. */
const prefixes = {
  apigateway: 'arn:aws:apigateway:us-east-1::',
  'cloudwatch:PutDashboard': 'arn:aws:cloudwatch::123456789012:',
  iam: 'arn:aws:iam::123456789012:',
  s3: 'arn:aws:s3:::',
};
/** Reads a request such as "kms:CreateKey on key/1 if aws:RequestTag/stack=click-tally-dev". */
function ask(request) {
  const [, action = '', resource, conditions = ''] =
    /^(\S+)(?: on (\S+))?(?: if (.*))?$/.exec(request) ?? [];
  const [service = ''] = action.split(':');
  const prefix =
    prefixes[action] ?? prefixes[service] ?? `arn:aws:${service}:us-east-1:123456789012:`;
  const keys = [...conditions.matchAll(/(\S+)=(\S+)/g)].map(([, key, value]) => [key, [value]]);
  const arn = resource ? `${prefix}${resource}` : '*';
  return { action, resource: arn, keys: Object.fromEntries(keys) };
}
const isAllowedTo = (request) => isAllowed(statements, ask(request));
const isWithinBoundary = (request) => isAllowed(boundary.statements, ask(request));
const role = 'role/click-tally-dev-CreateLinkRole-1A';
const functionArn = (stack) => `arn:aws:lambda:us-east-1:123456789012:function:${stack}-x`;
const withBoundary = `iam:PermissionsBoundary=${boundaryArn}`;
const viaStack = 'aws:CalledVia=cloudformation.amazonaws.com';
const backupPolicy =
  'iam:PolicyARN=arn:aws:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup';
const iam = (actions) => actions.split(' ').map((action) => `iam:${action}`);
/** The actions that give a role permissions. */
const grants = iam('CreateRole PutRolePolicy DeleteRolePolicy PutRolePermissionsBoundary');
/** IAM doesn't provide a role's boundary for these actions. */
const others = iam('DeleteRole UpdateRole UpdateAssumeRolePolicy');
const changesOfRoles = [...grants, ...others];
describe('the role that deploys dev', () => {
  test.each([
    ...changesOfRoles.map((action) => `${action} on ${role} if ${withBoundary}`),
    ...others.map((action) => `${action} on ${role}`),
    `iam:AttachRolePolicy on ${role} if ${withBoundary} and ${backupPolicy}`,
    `iam:PassRole on ${role} if iam:PassedToService=lambda.amazonaws.com`,
    `kms:TagResource on key/1 if aws:RequestTag/stack=click-tally-dev and ${viaStack}`,
  ])('may %s', (request) => expect(isAllowedTo(request)).toBe(true));
  test.each([
    ...grants.map((action) => `${action} on ${role}`),
    ...changesOfRoles.flatMap((action) => [
      `${action} on ${role} if iam:PermissionsBoundary=arn:aws:iam::123456789012:policy/another`,
      `${action} on role/click-tally-prod-CreateLinkRole-1A if ${withBoundary}`,
      `${action} on role/deploy-click-tally-dev if ${withBoundary}`,
    ]),
    ...iam('CreatePolicyVersion SetDefaultPolicyVersion DeletePolicyVersion DeletePolicy').map(
      (action) => `${action} on policy/${boundary.name}`,
    ),
    `iam:DeleteRolePermissionsBoundary on ${role} if ${withBoundary}`,
    `iam:AttachRolePolicy on ${role} if ${withBoundary} and iam:PolicyARN=arn:aws:iam::aws:policy/AdministratorAccess`,
    `iam:AttachRolePolicy on ${role} if ${backupPolicy}`,
    `iam:PassRole on ${role} if iam:PassedToService=ec2.amazonaws.com`,
    `iam:PassRole on ${role} if iam:PassedToService=cloudformation.amazonaws.com`,
    'iam:PassRole on role/click-tally-prod-CreateLinkRole-1A if iam:PassedToService=lambda.amazonaws.com',
    'iam:PassRole on role/Admin if iam:PassedToService=lambda.amazonaws.com',
    'iam:CreateUser on user/click-tally-dev-me',
    'iam:CreateRole on role/aws-service-role/x',
    'sts:AssumeRole on role/Admin',
    'cloudformation:UpdateStack on stack/deploy-click-tally-dev/1',
    'cloudformation:UpdateStack on stack/click-tally-prod/1',
    'lambda:UpdateFunctionCode on function:click-tally-prod-resolve-link',
    `lambda:UpdateEventSourceMapping if lambda:FunctionArn=${functionArn('click-tally-prod')}`,
    'dynamodb:DeleteTable on table/click-tally-prod-ClickTable-1A',
    'sqs:SendMessage on click-tally-prod-ClickQueue-1A',
    's3:PutObject on click-tally-prod-serverlessdeploymentbucket-1a/code.zip',
    'logs:GetLogEvents on log-group:/aws/lambda/click-tally-prod-resolve-link:*',
    'secretsmanager:GetSecretValue on secret:click-tally-prod-origin-first-1',
    'cognito-idp:AdminSetUserPassword on userpool/1 if aws:ResourceTag/stack=click-tally-prod',
    'apigateway:DELETE on /apis/1 if aws:ResourceTag/stack=click-tally-prod',
    'apigateway:POST on /apis/1/stages if aws:RequestTag/stack=click-tally-dev',
    `apigateway:POST on /apis/1/routes if ${viaStack}`,
    'apigateway:PUT on /tags/1 if aws:RequestTag/stack=click-tally-dev',
    'kms:CreateKey',
    'kms:ScheduleKeyDeletion on key/1 if aws:ResourceTag/stack=click-tally-prod',
    `kms:TagResource on key/1 if aws:RequestTag/stack=click-tally-dev and aws:ResourceTag/stack=click-tally-prod and ${viaStack}`,
    'kms:TagResource on key/1 if aws:RequestTag/stack=click-tally-dev',
    'application-autoscaling:RegisterScalableTarget',
    'cloudwatch:DeleteAlarms on alarm:TargetTracking-table/click-tally-prod-ClickTable-1A-AlarmLow-1',
    'budgets:ModifyBudget on budget/1',
    'sns:Unsubscribe',
  ])('may not %s', (request) => expect(isAllowedTo(request)).toBe(false));
});
describe.each(packaged)('for %s', async (name) => {
  const { template, stage, roles, readType } = await openStage(name);
  const stack = `click-tally-${stage}`;
  test("the boundary permits what each function's role does", async () => {
    const { boundary: ofStage } = await readDeployRole(stage);
    const arns = {
      'AWS::DynamoDB::Table': ask(`dynamodb:x on table/${stack}-ClickTable-1A`).resource,
      'AWS::Events::EventBus': ask(`events:x on event-bus/${stack}`).resource,
      'AWS::Logs::LogGroup': ask(`logs:x on log-group:/aws/lambda/${stack}-x:*`).resource,
      'AWS::SQS::Queue': ask(`sqs:x on ${stack}-ClickQueue-1A`).resource,
    };
    const toPhysical = (resource) =>
      resource.replace(/^(arn|stream):([A-Z]\w+)(:\*)?/, (_, kind, id) => {
        const found = arns[template.Resources[id]?.Type ?? ''];
        return kind === 'stream' ? `${found}/stream/1` : `${found}`;
      });
    const accesses = Object.values(roles)
      .flat()
      .flatMap(({ Action, Resource }) =>
        [Resource].flat().flatMap((resource) => {
          return Action.map((action) => ({ action, resource: toPhysical(resource), keys: {} }));
        }),
      );
    expect(accesses.length).toBeGreaterThan(30);
    expect(accesses.filter((access) => !isAllowed(ofStage.statements, access))).toEqual([]);
  });
  test('each role has the boundary of the param, or none without it', () => {
    const { boundaryArn = '' } = name === 'prod-with-edge' ? prod : {};
    const boundaries = Object.values(readType('IAM::Role')).map((one) => one.PermissionsBoundary);
    expect(new Set(boundaries.map((one) => one ?? ''))).toEqual(new Set([boundaryArn]));
  });
});
describe('the boundary of dev', () => {
  test.each([
    `iam:PutRolePolicy on ${role} if ${withBoundary}`,
    `iam:PassRole on ${role} if iam:PassedToService=lambda.amazonaws.com`,
    `sts:AssumeRole on ${role}`,
    'lambda:UpdateFunctionCode on function:click-tally-dev-resolve-link',
    'cloudformation:UpdateStack on stack/click-tally-dev/1',
    'dynamodb:PutItem on table/click-tally-prod-ClickTable-1A',
    'sqs:SendMessage on click-tally-prod-ClickQueue-1A',
    'backup:TagResource on recovery-point:1 if aws:ResourceTag/stack=click-tally-prod',
  ])('does not permit %s', (request) => expect(isWithinBoundary(request)).toBe(false));
  test.each([
    ...['StartAwsBackupJob', 'DescribeTable'].map(
      (action) => `dynamodb:${action} on table/click-tally-dev-ClickTable-1A`,
    ),
    // The id of a stage's API isn't known before the stage exists.
    'execute-api:ManageConnections on any-api/dev/POST/@connections/1',
  ])('permits %s', (request) => expect(isWithinBoundary(request)).toBe(true));
});
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
test("the policies fit into IAM's limits, and the role has no others", () => {
  const lengths = [statements, boundary.statements].map((found) => JSON.stringify(found).length);
  expect(managedPolicies).toEqual([]);
  expect(boundaryArn.endsWith(`/${boundary.name}`)).toBe(true);
  expect(lengths[0]).toBeLessThan(10240 * 0.9);
  expect(lengths[1]).toBeLessThan(6144 * 0.9);
});

import { describe, expect, test } from 'vitest';
import { isAllowed } from '../helpers/iam.ts';
import { ask, listAccesses, readDeployRole } from './deploy-role.ts';
import { openStage, packaged } from './stage-template.ts';

const { statements, managedPolicies, boundary, boundaryArn } = await readDeployRole('dev');
const prod = await readDeployRole('prod');

const isAllowedTo = (request: string) => isAllowed(statements, ask(request));
const isWithinBoundary = (request: string) => isAllowed(boundary.statements, ask(request));

const role = 'role/click-tally-dev-CreateLinkRole-1A';
const functionArn = (stack: string) => `arn:aws:lambda:us-east-1:123456789012:function:${stack}-x`;
const withBoundary = `iam:PermissionsBoundary=${boundaryArn}`;
const viaStack = 'aws:CalledVia=cloudformation.amazonaws.com';
const backupPolicy =
  'iam:PolicyARN=arn:aws:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup';
const iam = (actions: string) => actions.split(' ').map((action) => `iam:${action}`);
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
  const opened = await openStage(name);
  const { stage, readType } = opened;
  const stack = `click-tally-${stage}`;

  test("the boundary permits what each function's role does", async () => {
    const { boundary: ofStage } = await readDeployRole(stage);
    const accesses = listAccesses(opened, stack);

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

describe('the role that deploys the standby of prod', async () => {
  const { statements: ofStandby } = await readDeployRole('standby-prod');
  const may = (request: string) => isAllowed(ofStandby, ask(request));
  const withItsBoundary =
    'iam:PermissionsBoundary=arn:aws:iam::123456789012:policy/deploy-click-tally-standby-prod';

  test.each([
    'cloudformation:UpdateStack on stack/click-tally-standby-prod/1',
    'dynamodb:CreateTable on table/click-tally-standby-prod',
    'events:PutTargets on rule/click-tally-standby-prod/click-tally-standby-prod-forward',
    'sqs:CreateQueue on click-tally-standby-prod-dlq',
    `iam:CreateRole on role/click-tally-standby-prod-ForwardRole-1A if ${withItsBoundary}`,
    'iam:PassRole on role/click-tally-standby-prod-ForwardRole-1A if iam:PassedToService=events.amazonaws.com',
  ])('may %s', (request) => expect(may(request)).toBe(true));

  test.each([
    'cloudformation:UpdateStack on stack/click-tally-prod/1',
    'dynamodb:DeleteTable on table/click-tally-prod-ClickTable-1A',
    'dynamodb:DeleteTable on table/click-tally-standby-dev',
    'events:PutTargets on rule/click-tally-prod/click-tally-prod-click',
    'events:PutEvents on event-bus/click-tally-prod',
    'iam:PassRole on role/click-tally-prod-AggregateClicksRole-1A if iam:PassedToService=lambda.amazonaws.com',
  ])('may not %s', (request) => expect(may(request)).toBe(false));

  test("prod's role may not change it", () => {
    const ofHome = (request: string) => isAllowed(prod.statements, ask(request));

    expect(ofHome('dynamodb:DeleteTable on table/click-tally-standby-prod')).toBe(false);
    expect(ofHome('cloudformation:DeleteStack on stack/click-tally-standby-prod/1')).toBe(false);
  });
});

// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
test("the policies fit into IAM's limits, and the role has no others", async () => {
  const longest = await readDeployRole('standby-staging');
  const policies = [longest.statements, longest.boundary.statements];
  const lengths = policies.map((found) => JSON.stringify(found).length);

  expect(managedPolicies).toEqual([]);
  expect(boundaryArn.endsWith(`/${boundary.name}`)).toBe(true);
  expect(lengths[0]).toBeLessThan(10_240 * 0.9);
  expect(lengths[1]).toBeLessThan(6_144 * 0.9);
});

import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { Access, Statement } from '../helpers/iam.ts';
import type { openPackage } from './stage-template.ts';

const file = new URL('../../.github/deploy-role.yml', import.meta.url);

interface Policy {
  PolicyDocument: { Statement: Statement[] };
}

/** The deploy workflow's role for a stage or its standby, and the boundary of the roles that it creates. */
export async function readDeployRole(stage: string) {
  const boundaryArn = `arn:aws:iam::123456789012:policy/deploy-click-tally-${stage}`;
  const text = (await readFile(file, 'utf8'))
    .replaceAll(/\$\{AWS::Partition\}/g, 'aws')
    .replaceAll(/\$\{AWS::AccountId\}/g, '123456789012')
    .replaceAll(/\$\{Stage\}/g, stage)
    .replaceAll('!Ref Boundary', boundaryArn);
  // Unknown tags, such as !Sub, parse as their arguments.
  const { DeployRole, Boundary } = parse(text, choose(stage), { logLevel: 'error' }).Resources;
  const { Policies, ManagedPolicyArns = [] } = DeployRole.Properties;
  return {
    statements: (Policies as Policy[]).flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
    managedPolicies: ManagedPolicyArns,
    boundary: {
      name: Boundary.Properties.ManagedPolicyName,
      statements: (Boundary.Properties as Policy).PolicyDocument.Statement,
    },
    boundaryArn,
  };
}

/** Services whose ARNs don't start with arn:aws:service:us-east-1:123456789012. */
const prefixes: Record<string, string> = {
  apigateway: 'arn:aws:apigateway:us-east-1::',
  'cloudwatch:PutDashboard': 'arn:aws:cloudwatch::123456789012:',
  iam: 'arn:aws:iam::123456789012:',
  s3: 'arn:aws:s3:::',
};

/** Reads a request such as "kms:CreateKey on key/1 if aws:RequestTag/stack=click-tally-dev". */
export function ask(request: string): Access {
  const [, action = '', resource, conditions = ''] =
    /^(\S+)(?: on (\S+))?(?: if (.*))?$/.exec(request) ?? [];
  const [service = ''] = action.split(':');
  const prefix =
    prefixes[action] ?? prefixes[service] ?? `arn:aws:${service}:us-east-1:123456789012:`;
  const keys = [...conditions.matchAll(/(\S+)=(\S+)/g)].map(([, key, value]) => [key, [value]]);
  const arn = resource ? `${prefix}${resource}` : '*';
  return { action, resource: arn, keys: Object.fromEntries(keys) };
}

/** Resolves the template's !If, and the name of the stage that a standby belongs to. */
function choose(stage: string) {
  const [first, homeStage = ''] = stage.split('-');
  return (_: unknown, value: unknown) => {
    if (!Array.isArray(value)) return value;
    const [condition, ifStandby, otherwise] = value;
    if (condition === 'IsStandby') return first === 'standby' ? ifStandby : otherwise;
    const isSub = Object(ifStandby).HomeStage !== undefined;
    return isSub ? `${condition}`.replace(/\$\{HomeStage\}/, homeStage) : value;
  };
}

/** What the roles of a package do, each on a resource with a name as CloudFormation makes it. */
export function listAccesses(
  { template, roles }: Pick<Awaited<ReturnType<typeof openPackage>>, 'template' | 'roles'>,
  stack: string,
): Access[] {
  const nameOf = (id: string) => {
    const { TableName, QueueName } = template.Resources[id]?.Properties ?? {};
    return TableName ?? QueueName ?? `${stack}-${id}-1A`;
  };
  const arnOf = (id: string): string => {
    const requests: Record<string, string> = {
      'AWS::DynamoDB::Table': `dynamodb:x on table/${nameOf(id)}`,
      'AWS::Events::EventBus': `events:x on event-bus/${stack}`,
      'AWS::Logs::LogGroup': `logs:x on log-group:/aws/lambda/${stack}-x:*`,
      'AWS::SQS::Queue': `sqs:x on ${nameOf(id)}`,
    };
    return ask(requests[template.Resources[id]?.Type ?? ''] ?? '').resource;
  };
  const toPhysical = (resource: string) =>
    resource.replace(/^(arn|stream):([A-Z]\w+)(:\*)?/, (_, kind, id) =>
      kind === 'stream' ? `${arnOf(id)}/stream/1` : arnOf(id),
    );
  return Object.values(roles)
    .flat()
    .flatMap(({ Action, Resource }) =>
      [Resource].flat().flatMap((resource) => {
        return Action.map((action) => ({ action, resource: toPhysical(resource), keys: {} }));
      }),
    );
}

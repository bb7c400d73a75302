import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import {
  type EvaluationResult,
  type IAMClient,
  paginateSimulatePrincipalPolicy,
} from '@aws-sdk/client-iam';
import { type Stack, toStackName } from '../../cli/stack.ts';
import { type DynamoDbRequest, readAccesses } from '../helpers/dynamodb-access.ts';
import type { Access } from '../helpers/iam.ts';
import type { RoleRequests } from '../helpers/role-requests.ts';

/** The ARNs of a stage's roles, by function, and of its table. */
export interface SimulatedStage {
  roleArns: Record<string, string>;
  tableArn: string;
}

interface SimulatedRole {
  arn: string;
  tableArn: string;
}

/** Finds the roles of a stage's functions. */
export async function findRoles(stack: Stack, stage: string): Promise<SimulatedStage> {
  const [, partition, , region, account] = stack.output('AlarmTopicArn').split(':');
  const client = new CloudFormationClient(stack.clientConfig.others);
  const pages = paginateListStackResources({ client }, { StackName: toStackName(stage) });
  const roleArns: SimulatedStage['roleArns'] = {};
  try {
    for await (const { StackResourceSummaries = [] } of pages) {
      for (const { ResourceType, LogicalResourceId: id = '', ...role } of StackResourceSummaries) {
        if (ResourceType !== 'AWS::IAM::Role' || id === 'BackupRole') continue;
        const roleArn = `arn:${partition}:iam::${account}:role/${role.PhysicalResourceId}`;
        roleArns[id.replace(/Role$/, '')] = roleArn;
      }
    }
  } finally {
    client.destroy();
  }
  const table = `table/${stack.output('TableName')}`;
  return { roleArns, tableArn: `arn:${partition}:dynamodb:${region}:${account}:${table}` };
}

/**
 * Asks IAM's policy simulator about each of a role's requests. Returns a sentence for each wrong
 * decision.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_SimulatePrincipalPolicy.html
 */
export async function findMisjudged(
  iam: IAMClient,
  role: SimulatedRole,
  { sent, denied }: RoleRequests,
): Promise<string[]> {
  const found: string[] = [];
  const misjudge = (expected: string, decisions: Decision[]) =>
    found.push(`expected ${role.arn} to ${expected}; got ${decisions.map(explain).join(', ')}`);
  if (sent) {
    const decisions = await decide(iam, role, sent);
    if (!isAllowed(decisions)) misjudge('allow its own requests', decisions);
  }
  for (const [name, request] of Object.entries(denied)) {
    const decisions = await decide(iam, role, request);
    if (isAllowed(decisions)) misjudge(`deny ${name}`, decisions);
  }
  return found;
}

interface Decision {
  access: Access;
  result: EvaluationResult;
}

const isAllowed = (decisions: Decision[]) =>
  decisions.every(({ result }) => result.EvalDecision === 'allowed');

/** Simulates a request's accesses until the first denial. */
async function decide(iam: IAMClient, role: SimulatedRole, request: DynamoDbRequest) {
  const decisions: Decision[] = [];
  for (const access of readAccesses(request)) {
    decisions.push({ access, result: await simulate(iam, role, access) });
    if (!isAllowed(decisions)) break;
  }
  return decisions;
}

async function simulate(client: IAMClient, role: SimulatedRole, access: Access) {
  const { action, resource, keys } = access;
  const ContextEntries = Object.entries(keys)
    .filter(([, values]) => values.length > 0)
    .map(([ContextKeyName, ContextKeyValues]) => ({
      ...{ ContextKeyName, ContextKeyValues, ContextKeyType: 'stringList' as const },
    }));
  const ResourceArns = [resource.replace('arn:ClickTable', role.tableArn)];
  const question = { PolicySourceArn: role.arn, ActionNames: [action], ResourceArns };
  const pages = paginateSimulatePrincipalPolicy({ client }, { ...question, ContextEntries });
  const results = (await Array.fromAsync(pages)).flatMap((page) => page.EvaluationResults ?? []);
  const [result] = results;
  if (result && results.length === 1) return result;
  throw new Error(`expected one decision about ${action} of ${role.arn}; got ${results.length}`);
}

function explain({ access, result }: Decision): string {
  const { EvalDecision, MatchedStatements, PermissionsBoundaryDecisionDetail } = result;
  const reasons = { ...access, MatchedStatements, PermissionsBoundaryDecisionDetail };
  return `${EvalDecision} for ${JSON.stringify(reasons)}`;
}

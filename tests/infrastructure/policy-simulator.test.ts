import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { IAMClient } from '@aws-sdk/client-iam';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../../cli/loopback/http-server.ts';
import type { Stack } from '../../cli/stack.ts';
import { findMisjudged, findRoles } from '../e2e/policy-simulator.ts';
import { isAllowed, type Statement } from '../helpers/iam.ts';
import { roleRequests } from '../helpers/role-requests.ts';
import { readRole } from '../helpers/roles.ts';
import { packageDirOf } from './stage-template.ts';

const tableArn = 'arn:aws:dynamodb:us-east-1:123456789012:table/click-tally-dev-ClickTable-1A';
const role = { arn: 'arn:aws:iam::123456789012:role/click-tally-dev-Role-1A', tableArn };
const matched =
  '<MatchedStatements><member><SourcePolicyId>update-link</SourcePolicyId><StartPosition><Line>3' +
  '</Line></StartPosition><EndPosition><Line>9</Line></EndPosition></member></MatchedStatements>';

/** The values of a list in a request of the Query API, such as `ActionNames.member.1`. */
function listOf(form: URLSearchParams, prefix: string): string[] {
  const names = [...form.keys()].filter((name) => name.startsWith(`${prefix}.member.`));
  return names.filter((name) => /\.\d+$/.test(name)).map((name) => form.get(name) ?? '');
}

/** Decides as IAM does, about the role that a test sets. */
let statements: Statement[] = [];
let refusal = 'implicitDeny';

function simulate(form: URLSearchParams): string {
  const contexts = [...form.keys()].filter((name) => name.endsWith('.ContextKeyName'));
  const keys = contexts.map((name) => [
    form.get(name),
    listOf(form, name.replace('ContextKeyName', 'ContextKeyValues')),
  ]);
  const [action = ''] = listOf(form, 'ActionNames');
  const [resource = ''] = listOf(form, 'ResourceArns');
  const access = { action, resource: resource.replace(tableArn, 'arn:ClickTable') };
  const allowed = isAllowed(statements, { ...access, keys: Object.fromEntries(keys) });
  return (
    `<member><EvalActionName>${action}</EvalActionName><EvalDecision>${allowed ? 'allowed' : refusal}` +
    `</EvalDecision>${allowed ? matched : ''}</member>`
  );
}

const answers: Record<string, (form: URLSearchParams) => string> = {
  // The first page is empty, as IAM permits.
  SimulatePrincipalPolicy: (form) =>
    form.has('Marker')
      ? `<EvaluationResults>${simulate(form)}</EvaluationResults><IsTruncated>false</IsTruncated>`
      : '<EvaluationResults/><IsTruncated>true</IsTruncated><Marker>next</Marker>',
  ListStackResources: (form) => {
    const [id, more] = form.has('NextToken')
      ? ['UpdateLinkRole', '']
      : ['BackupRole', '<NextToken>next</NextToken>'];
    return `<StackResourceSummaries><member><LogicalResourceId>${id}</LogicalResourceId>
      <PhysicalResourceId>${form.get('StackName')}-${id}-1A</PhysicalResourceId>
      <ResourceType>AWS::IAM::Role</ResourceType></member></StackResourceSummaries>${more}`;
  },
};

const aws = createServer(async (request, response) => {
  const form = new URLSearchParams(await text(request));
  const action = form.get('Action') ?? '';
  const result = answers[action]?.(form);
  response.end(
    `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`,
  );
});
let server: Awaited<ReturnType<typeof listen>>;
let iam: IAMClient;
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const configFor = (endpoint: string) => ({ endpoint, region: 'us-east-1', credentials });

beforeAll(async () => {
  server = await listen(aws);
  iam = new IAMClient(configFor(server.url));
});
afterAll(async () => {
  iam.destroy();
  await server.stop();
});

describe('the policy simulator', () => {
  test.each(Object.entries(roleRequests))(
    'agrees with our decisions on %s',
    async (name, requests) => {
      statements = await readRole(packageDirOf('dev'), `${name}Role`);

      expect(await findMisjudged(iam, role, requests)).toEqual([]);
    },
  );

  test.each(['implicitDeny', 'explicitDeny'])('reports what is refused: %s', async (decision) => {
    [statements, refusal] = [[], decision];
    const { sent } = roleRequests.UpdateLink ?? {};

    const [found] = await findMisjudged(iam, role, { sent, denied: {} });

    expect(found).toMatch(
      new RegExp(
        `^expected ${role.arn} to allow what it sends; got ${decision} for dynamodb:Update`,
      ),
    );
    expect(found).toMatch(/"dynamodb:LeadingKeys":\["LINK#spring"\].* \(by no statement\)$/);
  });

  test('reports what is allowed, with the statements that allow it', async () => {
    statements = [{ Effect: 'Allow', Action: ['dynamodb:*'], Resource: '*' }];
    const { denied = {} } = roleRequests.UpdateLink ?? {};

    const found = await findMisjudged(iam, role, { denied });

    expect(found).toHaveLength(Object.keys(denied).length);
    expect(found[0]).toMatch(
      /to deny another URL; got allowed for dynamodb:UpdateItem .* \(by update-link, lines 3 to 9\)$/,
    );
  });

  test('is asked about the roles of all pages of the stack, by their ARNs', async () => {
    const outputs: Record<string, string> = {
      AlarmTopicArn: 'arn:aws:sns:us-east-1:123456789012:click-tally-dev-AlarmTopic-1A',
      TableName: 'click-tally-dev-ClickTable-1A',
    };
    const clientConfig = { iam: configFor(server.url) } as unknown as Stack['clientConfig'];
    const output = (name: string) => outputs[name] ?? '';

    expect(await findRoles({ name: 'a stage', output, clientConfig }, 'dev')).toEqual({
      roleArns: { UpdateLink: 'arn:aws:iam::123456789012:role/click-tally-dev-UpdateLinkRole-1A' },
      tableArn,
    });
  });
});

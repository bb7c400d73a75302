import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { type Intrinsic, resolveIntrinsics } from '../../local/engines/template.ts';
import type { Statement } from './iam.ts';

const file = new URL('../../.github/deploy-role.yml', import.meta.url);
const account = '123456789012';

const shortForm = (tag: string, name: string) => ({
  tag,
  resolve: (value: string) => ({ [name]: value }),
});
const customTags = [shortForm('!Sub', 'Fn::Sub'), shortForm('!Ref', 'Ref')];

interface Policy {
  PolicyDocument: { Statement: Statement[] };
}

/** The deploy workflow's role for a stage, and the boundary of the roles that it creates. */
export async function readDeployRole(stage: string) {
  const { Resources } = parse(await readFile(file, 'utf8'), { customTags, logLevel: 'error' });
  const name = `deploy-click-tally-${stage}`;
  const boundaryArn = `arn:aws:iam::${account}:policy/${name}`;
  const resolve = (value: Intrinsic) =>
    resolveIntrinsics(value, {
      'AWS::Partition': { ref: 'aws' },
      'AWS::AccountId': { ref: account },
      Stage: { ref: stage },
      Boundary: { ref: boundaryArn },
    }) as unknown;
  const { Policies, ...others } = Resources.DeployRole.Properties;
  const boundary = resolve(Resources.Boundary.Properties) as Policy & { ManagedPolicyName: string };
  return {
    statements: (resolve(Policies) as Policy[]).flatMap(
      (policy) => policy.PolicyDocument.Statement,
    ),
    managedPolicies: others.ManagedPolicyArns ?? [],
    boundary: { name: boundary.ManagedPolicyName, statements: boundary.PolicyDocument.Statement },
    boundaryArn,
  };
}

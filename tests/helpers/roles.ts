import type { Template } from '../../local/engines/template.ts';
import type { Statement } from './iam.ts';
import { resolve } from './template-values.ts';

/**
 * The statements of each function's role, by the function's name: `CreateLink` for `CreateLinkRole`.
 * BackupRole is left out, because AWS Backup has it.
 */
export function readRoles(template: Template): Record<string, Statement[]> {
  const roles = Object.entries(template.Resources).filter(
    ([id, { Type }]) => Type === 'AWS::IAM::Role' && id !== 'BackupRole',
  );
  const read = ({ Properties }: Template['Resources'][string]) => {
    const { Policies = [] } = resolve(template, Properties) as {
      Policies?: { PolicyDocument: { Statement: Statement[] } }[];
    };
    return Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  };
  return Object.fromEntries(roles.map(([id, role]) => [id.replace(/Role$/, ''), read(role)]));
}

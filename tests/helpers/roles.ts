import { readTemplate } from '../../local/engines/template.ts';
import type { Statement } from './iam.ts';
import { resolve } from './template-values.ts';

/** A packaged role's statements. Throws if the role doesn't exist. */
export async function readRole(packageDir: string, roleId: string): Promise<Statement[]> {
  const template = await readTemplate(packageDir);
  const role = template.Resources[roleId];
  if (!role) throw new Error(`expected the role ${roleId}; ${packageDir} has none`);
  const { Policies } = resolve(template, role.Properties) as {
    Policies: { PolicyDocument: { Statement: Statement[] } }[];
  };
  return Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

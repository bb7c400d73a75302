import { readTemplate } from '../../local/engines/template.ts';
import type { Statement } from './iam.ts';
import { resolve } from './template-values.ts';

/** The statements of a packaged role. Throws if the package has no such role. */
export async function readRole(packageDir: string, roleId: string): Promise<Statement[]> {
  const template = await readTemplate(packageDir);
  const role = template.Resources[roleId];
  if (!role) throw new Error(`expected the role ${roleId}; ${packageDir} has none`);
  const { Policies } = resolve(template, role.Properties) as {
    Policies: { PolicyDocument: { Statement: Statement[] } }[];
  };
  return Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

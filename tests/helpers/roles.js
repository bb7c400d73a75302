import { resolve } from './template-values.ts';
/**
 * The statements of each function's role, by the function's name: `CreateLink` for `CreateLinkRole`.
 * BackupRole is left out, because AWS Backup has it.
 */
export function readRoles(template) {
    const roles = Object.entries(template.Resources).filter(([id, { Type }]) => Type === 'AWS::IAM::Role' && id !== 'BackupRole');
    const read = ({ Properties }) => {
        const { Policies = [] } = resolve(template, Properties);
        return Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    };
    return Object.fromEntries(roles.map(([id, role]) => [id.replace(/Role$/, ''), read(role)]));
}

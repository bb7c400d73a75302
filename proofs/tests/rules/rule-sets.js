import path from 'node:path';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import { CloudFormationValidatePlugin, Stack, } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { RootConstruct } from 'constructs';
// Shared, because compiling its rules takes longer than checking all templates.
const cloudFormationValidate = new CloudFormationValidatePlugin();
const stack = { stackConstructPath: 'Stack', accountId: '123456789012', region: 'us-east-1' };
/** The rule sets' findings in a compiled template. They don't need AWS or a network. */
export function findViolations(templatePath) {
    const root = new RootConstruct();
    const include = { templateFile: templatePath };
    new CfnInclude(new Stack(root, stack.stackConstructPath), 'Template', include);
    const security = new AwsSolutionsChecks().validateScope(root);
    const schemas = cloudFormationValidate.validate({
        appConstruct: root,
        templatePaths: [templatePath],
        stackTemplates: [{ ...stack, templatePath }],
    });
    return [
        ...listFindings(security, ({ constructPath = '' }) => path.posix.basename(constructPath)),
        ...listFindings(schemas, ({ resourceLogicalId, locations: [place] }) => resourceLogicalId ?? place ?? 'the template'),
    ];
}
function listFindings({ violations }, nameOf) {
    return violations.flatMap(({ ruleName, description, violatingResources }) => violatingResources.map((resource) => ({
        rule: ruleName,
        resource: nameOf(resource),
        problem: description.replace(/\.?$/, '.'),
    })));
}

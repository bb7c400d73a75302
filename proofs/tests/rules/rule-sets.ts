import path from 'node:path';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import {
  CloudFormationValidatePlugin,
  type PolicyValidationPluginReport,
  type PolicyViolatingResource,
  Stack,
} from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { RootConstruct } from 'constructs';
import type { LeftOutRules, Suppression } from './suppressions.ts';

export interface Finding {
  rule: string;
  /** A resource's logical id, or a path in the template such as `Conditions/Name`. */
  resource: string;
  problem: string;
}

// Shared, because compiling its rules takes longer than checking all templates.
const cloudFormationValidate = new CloudFormationValidatePlugin();
const stack = { stackConstructPath: 'Stack', accountId: '123456789012', region: 'us-east-1' };

/** The rule sets' findings in a compiled template. They don't need AWS or a network. */
export function findViolations(templateFile: string): Finding[] {
  const root = new RootConstruct();
  new CfnInclude(new Stack(root, stack.stackConstructPath), 'Template', { templateFile });
  return [...applyAwsSolutions(root), ...validateTemplate(root, templateFile)];
}

/** The findings without a suppression, each with a remedy. */
export function explainNew(
  packageName: string,
  findings: readonly Finding[],
  suppressions: readonly Suppression[],
): string[] {
  return findings
    .filter(
      (finding) => !suppressions.some((one) => isFor(one, packageName) && matches(one, finding)),
    )
    .map(
      ({ rule, resource, problem }) =>
        `${rule}, ${resource}, ${packageName}: ${problem} Fix it in infra/, or explain it in ` +
        'proofs/tests/rules/suppressions.ts.',
    );
}

/** The package's unused suppressions, each with a remedy. */
export function explainUnused(
  packageName: string,
  findings: readonly Finding[],
  suppressions: readonly Suppression[],
): string[] {
  return suppressions
    .filter((suppression) => isFor(suppression, packageName))
    .flatMap(({ rule, resources }) => resources.map((resource) => ({ rule, resource })))
    .filter((one) => !findings.some((found) => isSame(one, found)))
    .map(
      ({ rule, resource }) =>
        `${rule}, ${resource}, ${packageName}: no rule set finds this any more. Remove the resource or ` +
        'the package from the suppression in proofs/tests/rules/suppressions.ts.',
    );
}

/** The findings without those of rules that can't apply to the framework's templates. */
export function leaveOut(findings: readonly Finding[], { rules }: LeftOutRules): Finding[] {
  return findings.filter(({ rule }) => !rules.includes(rule));
}

function applyAwsSolutions(root: RootConstruct): Finding[] {
  const report = new AwsSolutionsChecks().validateScope(root);
  return listFindings(report, ({ constructPath = '' }) => path.posix.basename(constructPath));
}

function validateTemplate(root: RootConstruct, templatePath: string): Finding[] {
  const report = cloudFormationValidate.validate({
    appConstruct: root,
    templatePaths: [templatePath],
    stackTemplates: [{ ...stack, templatePath }],
  });
  return listFindings(
    report,
    ({ resourceLogicalId, locations: [place] }) => resourceLogicalId ?? place ?? 'the template',
  );
}

function listFindings(
  { violations }: PolicyValidationPluginReport,
  nameOf: (resource: PolicyViolatingResource) => string,
): Finding[] {
  return violations.flatMap(({ ruleName, description, violatingResources }) =>
    violatingResources.map((resource) => ({
      rule: ruleName,
      resource: nameOf(resource),
      problem: description.replace(/\.?$/, '.'),
    })),
  );
}

const isFor = ({ packages }: Suppression, name: string): boolean =>
  packages === undefined || packages.some((one) => one === name);

const matches = ({ rule, resources }: Suppression, finding: Finding): boolean =>
  resources.some((resource) => isSame({ rule, resource }, finding));

const isSame = (one: { rule: string; resource: string }, finding: Finding): boolean =>
  one.rule === finding.rule && one.resource === finding.resource;

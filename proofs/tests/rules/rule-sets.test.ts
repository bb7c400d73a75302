import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Packaged,
  packageDirOf,
  packaged,
  propertiesOf,
  readPackage,
} from '../../../tests/infrastructure/stage-template.ts';
import { findViolations } from './rule-sets.ts';
import { leftOut, suppressions } from './suppressions.ts';

const templateName = 'cloudformation-template-update-stack.json';
const packages = packaged.map((name): [Packaged, string] => [name, packageDirOf(name)]);

describe.each(packages)("AWS's rule sets in %s", async (name, dir) => {
  const { StageName } = propertiesOf(await readPackage(dir), 'WebsocketsDeploymentStage');
  const findings = findViolations(path.join(dir, templateName)).map((finding) => ({
    ...finding,
    rule: finding.rule.replace(`/${StageName}/`, '/<stage>/'),
  }));

  test('find what suppressions.ts explains, and nothing else', () => {
    const found = findings
      .filter(({ rule }) => !leftOut.includes(rule))
      .map(({ rule, resource, problem }) => [`${rule}, ${resource}`, problem]);
    const explained = suppressions
      .filter(([, , , only = packaged]) => only.includes(name))
      .flatMap(([rule, resources]) => resources.split(' ').map((one) => `${rule}, ${one}`));

    expect(
      Object.fromEntries(found),
      'Fix a new finding in infra/, or explain it in proofs/tests/rules/suppressions.ts. Remove there what no rule set finds any more.',
    ).toEqual(Object.fromEntries(explained.map((finding) => [finding, expect.any(String)])));
  });
});

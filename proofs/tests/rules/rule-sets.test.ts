import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTestDir } from '../../../tests/helpers/test-dir.ts';
import {
  type Packaged,
  packageDirOf,
  packaged,
  propertiesOf,
  readPackage,
  readStage,
} from '../../../tests/infrastructure/stage-template.ts';
import { findViolations } from './rule-sets.ts';
import { leftOut, suppressions } from './suppressions.ts';

const templateName = 'cloudformation-template-update-stack.json';
const packages = packaged.map((name): [Packaged, string] => [name, packageDirOf(name)]);

/** The rule sets' findings in a package, with `<stage>` for the stage's name in ARNs. */
async function findIn(dir: string) {
  const { StageName } = propertiesOf(await readPackage(dir), 'WebsocketsDeploymentStage');
  return findViolations(path.join(dir, templateName)).map((finding) => ({
    ...finding,
    rule: finding.rule.replace(`/${StageName}/`, '/<stage>/'),
  }));
}

describe.each(packages)("AWS's rule sets in %s", async (name, dir) => {
  const findings = await findIn(dir);

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

test("AWS's rule sets find a public bucket and an impossible setting", async () => {
  await using dir = await createTestDir();
  const template = await readStage('prod');
  template.Resources.Downloads = {
    Type: 'AWS::S3::Bucket',
    Properties: {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: false,
        BlockPublicPolicy: false,
        IgnorePublicAcls: false,
        RestrictPublicBuckets: false,
      },
    },
  };
  propertiesOf(template, 'HttpApiLogGroup').RetentionInDays = 8;
  await writeFile(path.join(dir.path, templateName), JSON.stringify(template));

  expect(await findIn(dir.path)).toEqual(
    expect.arrayContaining([
      ...['AwsSolutions-S1', 'AwsSolutions-S2', 'AwsSolutions-S10'].map((rule) =>
        expect.objectContaining({ rule, resource: 'Downloads' }),
      ),
      expect.objectContaining({
        rule: 'W3030',
        resource: 'HttpApiLogGroup',
        problem: expect.stringMatching(/^RetentionInDays: 8 is not one of /),
      }),
    ]),
  );
});

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
import { explainNew, explainUnused, findViolations, leaveOut } from './rule-sets.ts';
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
  const all = await findIn(dir);
  const findings = leaveOut(all, leftOut);

  test('find only what suppressions.ts explains', () => {
    expect(explainNew(name, findings, suppressions)).toEqual([]);
  });

  test('find everything that suppressions.ts explains', () => {
    expect(explainUnused(name, findings, suppressions)).toEqual([]);
  });

  test('still have the rules that are left out', () => {
    expect(all.length).toBeGreaterThan(findings.length);
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

  const findings = await findIn(dir.path);
  const messages = explainNew('prod', leaveOut(findings, leftOut), suppressions);

  expect(messages).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^AwsSolutions-S1, Downloads, prod: .* Fix it in infra\/,/),
      expect.stringMatching(/^AwsSolutions-S2, Downloads, prod: /),
      expect.stringMatching(/^AwsSolutions-S10, Downloads, prod: /),
      expect.stringMatching(/^W3030, HttpApiLogGroup, prod: RetentionInDays: 8 is not one of /),
    ]),
  );
});

describe('a suppression', () => {
  const finding = { rule: 'AwsSolutions-S1', resource: 'Downloads', problem: 'It has no log.' };
  const suppression = { rule: 'AwsSolutions-S1', resources: ['Downloads'], reason: 'It is empty.' };

  test.each([
    ['another rule', { ...suppression, rule: 'AwsSolutions-S2' }],
    ['another resource', { ...suppression, resources: ['Uploads'] }],
    ['another package', { ...suppression, packages: ['dev' as const] }],
  ])('does not explain a finding with %s', (_, other) => {
    expect(explainNew('prod', [finding], [suppression])).toEqual([]);
    expect(explainNew('prod', [finding], [other])).toEqual([
      'AwsSolutions-S1, Downloads, prod: It has no log. Fix it in infra/, or explain it in ' +
        'proofs/tests/rules/suppressions.ts.',
    ]);
  });

  test('must apply to each of its resources', () => {
    const unused = { ...suppression, resources: ['Downloads', 'Uploads'] };

    expect(explainUnused('prod', [finding], [unused])).toEqual([
      'AwsSolutions-S1, Uploads, prod: no rule set finds this any more. Remove the resource or the ' +
        'package from the suppression in proofs/tests/rules/suppressions.ts.',
    ]);
  });

  test('must apply only in its own packages', () => {
    const elsewhere = { ...suppression, packages: ['dev' as const] };

    expect(explainUnused('prod', [], [elsewhere])).toEqual([]);
    expect(explainUnused('dev', [finding], [elsewhere])).toEqual([]);
  });
});

import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { App, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { expect, test } from 'vitest';
import { projectDir } from '../../../local/engines/serverless.ts';
import {
  readBlock,
  readRecipes,
} from '../../../packages/powertools-idempotency-transactional/tests/helpers/examples.ts';
import { useTestDir } from '../../../tests/helpers/test-dir.ts';
import { findViolations } from './rule-sets.ts';

type Resources = Record<string, { Type: string; Properties: Record<string, unknown> }>;

const folder = 'packages/powertools-idempotency-transactional';
const dir = useTestDir();

/** AWS's rules on the schemas of resources accept the template. Advice on security is no schema. */
async function expectRecipe(template: { Resources: Resources }, tableType: string): Promise<void> {
  const file = path.join(dir.path, 'template.json');
  await writeFile(file, JSON.stringify(template));
  const errors = findViolations(file).filter(({ rule }) => !rule.startsWith('AwsSolutions-'));
  const propertiesOf = (type: string) =>
    Object.values(template.Resources).flatMap((one) => (one.Type === type ? [one.Properties] : []));
  const queues = propertiesOf('AWS::SQS::Queue');
  expect(errors).toEqual([]);
  expect(propertiesOf(tableType)).toMatchObject([
    {
      KeySchema: [{ AttributeName: 'PK' }, { AttributeName: 'SK' }],
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    },
  ]);
  expect(queues.map(({ MessageRetentionPeriod }) => MessageRetentionPeriod).toSorted()).toEqual([
    14 * 86_400,
    4 * 86_400,
  ]);
  expect(propertiesOf('AWS::Lambda::EventSourceMapping')).toMatchObject([
    { FunctionResponseTypes: ['ReportBatchItemFailures'] },
  ]);
  expect(JSON.stringify(template)).toContain('"dynamodb:BatchGetItem"');
}

test('the Serverless Framework packages its recipe', async () => {
  await copyFile(`${folder}/recipes/serverless.yml`, path.join(dir.path, 'serverless.yml'));
  // Its plugin bundles the recipes themselves.
  await symlink(path.join(projectDir, 'node_modules'), path.join(dir.path, 'node_modules'));
  for (const [name, text] of await readRecipes()) await writeFile(path.join(dir.path, name), text);
  const bin = createRequire(import.meta.url).resolve('serverless/bin/serverless.js');
  await promisify(execFile)(process.execPath, [bin, 'package'], { cwd: dir.path });
  const output = path.join(dir.path, '.serverless/cloudformation-template-update-stack.json');
  const template = JSON.parse(await readFile(output, 'utf8'));

  await expectRecipe(template, 'AWS::DynamoDB::Table');
});

test('the CDK synthesises its recipe', async () => {
  const app = path.join(dir.path, 'cdk');
  await mkdir(app);
  await symlink(path.join(projectDir, 'proofs/node_modules'), path.join(app, 'node_modules'));
  const file = path.join(app, 'orders.ts');
  const page = await readFile(`${folder}/recipes.md`, 'utf8');
  await writeFile(file, readBlock(page.slice(page.indexOf('### CDK'))));
  const { Orders } = await import(file);
  const cdkApp = new App();
  const stack = new Stack(cdkApp, 'Stack');
  const bookOrders = new LambdaFunction(stack, 'BookOrders', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => {};'),
  });
  new Orders(stack, 'Orders', bookOrders);
  const { template } = cdkApp.synth().getStackByName('Stack');

  await expectRecipe(template, 'AWS::DynamoDB::GlobalTable');
});

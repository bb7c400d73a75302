import { execFile } from 'node:child_process';
import { glob, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { App, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectDir } from '../../../local/engines/serverless.ts';
import { readRecipes } from '../../../packages/powertools-idempotency-transactional/tests/helpers/examples.ts';
import { useTestDir } from '../../../tests/helpers/test-dir.ts';
import { findViolations } from './rule-sets.ts';

type Resources = Record<string, { Type: string; Properties: Record<string, unknown> }>;

const page = await readFile('packages/powertools-idempotency-transactional/recipes.md', 'utf8');
const [, infrastructure = ''] = page.split('## The table and the queue');
/** The first block of code below a heading that isn't a command. */
const readBlock = (heading: string) =>
  new RegExp(`^### ${heading}\\n.*?^\`\`\`(?:yaml|ts)\\n(.*?)^\`\`\``, 'ms').exec(
    infrastructure,
  )?.[1] ?? '';
// YAML's own tags become the intrinsic functions that they stand for.
const customTags = ['Ref', 'GetAtt'].map((name) => ({
  tag: `!${name}`,
  resolve: (value: string) =>
    name === 'Ref' ? { Ref: value } : { 'Fn::GetAtt': value.split('.') },
}));
const serverless = parse(readBlock('Serverless Framework'), { customTags });
const dir = useTestDir();

/** What AWS's rules on the schemas of resources find in a template. Advice on security is no schema. */
async function findErrors(name: string, template: object): Promise<string[]> {
  const file = path.join(dir.path, name);
  await writeFile(file, JSON.stringify(template));
  return findViolations(file)
    .filter(({ rule }) => !rule.startsWith('AwsSolutions-'))
    .map(({ rule, resource, problem }) => `${rule} ${resource}: ${problem}`);
}

const onlyOf = (resources: Resources, type: string) =>
  Object.values(resources).find(({ Type }) => Type === type)?.Properties;

/** What the recipes have in common. */
function expectRecipe(resources: Resources, tableType = 'AWS::DynamoDB::Table'): void {
  const queues = Object.values(resources).filter(({ Type }) => Type === 'AWS::SQS::Queue');
  expect(onlyOf(resources, tableType)).toMatchObject({
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'PK' }, { AttributeName: 'SK' }],
    TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
  });
  expect(queues.map(({ Properties }) => Properties.MessageRetentionPeriod).toSorted()).toEqual([
    14 * 86_400,
    4 * 86_400,
  ]);
  expect(JSON.stringify(resources)).toContain('"dynamodb:BatchGetItem"');
}

test('the Serverless Framework packages its recipe', async () => {
  await writeFile(path.join(dir.path, 'serverless.yml'), readBlock('Serverless Framework'));
  // Its plugin bundles the recipes themselves.
  await symlink(path.join(projectDir, 'node_modules'), path.join(dir.path, 'node_modules'));
  for (const [name, text] of await readRecipes()) await writeFile(path.join(dir.path, name), text);
  const bin = createRequire(import.meta.url).resolve('serverless/bin/serverless.js');
  await promisify(execFile)(process.execPath, [bin, 'package'], { cwd: dir.path });
  const [archive] = await Array.fromAsync(glob('.serverless/*.zip', { cwd: dir.path }));
  const files = unzipSync(await readFile(path.join(dir.path, archive ?? '')));
  const output = path.join(dir.path, '.serverless/cloudformation-template-update-stack.json');
  const template = JSON.parse(await readFile(output, 'utf8'));

  expect(Object.keys(files)).toContain('sqs.js');
  expect(await findErrors('serverless.json', template)).toEqual([]);
  expectRecipe(template.Resources);
  expect(onlyOf(template.Resources, 'AWS::Lambda::EventSourceMapping')).toMatchObject({
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  });
});

// No validator of SAM's own types is on npm, so this is about all other types.
test('SAM’s recipe keeps to the schemas of CloudFormation', async () => {
  const template = parse(readBlock('SAM'), { customTags });
  Object.assign(template.Resources, serverless.resources.Resources);

  expect(await findErrors('sam.json', template)).toEqual([]);
  expectRecipe(template.Resources);
});

test('the CDK synthesises its recipe', async () => {
  const app = path.join(dir.path, 'cdk');
  await mkdir(app);
  await symlink(path.join(projectDir, 'proofs/node_modules'), path.join(app, 'node_modules'));
  const file = path.join(app, 'orders.ts');
  await writeFile(file, readBlock('CDK'));
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

  expect(await findErrors('cdk.json', template)).toEqual([]);
  expectRecipe(template.Resources, 'AWS::DynamoDB::GlobalTable');
  expect(onlyOf(template.Resources, 'AWS::Lambda::EventSourceMapping')).toMatchObject({
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  });
});

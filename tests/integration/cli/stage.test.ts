import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../../cli/loopback/ports.ts';
import { startCloudFormation } from '../../helpers/cloud-formation.ts';
import { runOperatorCommand, startOperatedStack } from '../../helpers/operator.ts';

const credentials = {
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_REGION: 'us-east-1',
};
let stack: Awaited<ReturnType<typeof startOperatedStack>>;
let cloudFormation: Awaited<ReturnType<typeof startCloudFormation>>;

beforeAll(async () => {
  stack = await startOperatedStack();
  cloudFormation = await startCloudFormation({
    TableName: stack.outputs.tableName,
    ClickQueueUrl: 'https://queues.example.com/000000000000/click-tally-local-clicks',
    ClickDlqUrl: 'https://queues.example.com/000000000000/ClickDLQ',
    ClickRuleDlqUrl: 'https://queues.example.com/000000000000/ClickRuleDLQ',
  });
});

afterAll(async () => {
  await cloudFormation.stop();
  await stack.stop();
});

function run(script: string, args: string[], environment: NodeJS.ProcessEnv) {
  return runOperatorCommand(script, args, {
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
    AWS_EC2_METADATA_DISABLED: 'true',
    ...environment,
  });
}

test("a stage is found by its stack's outputs, at AWS_ENDPOINT_URL", async () => {
  await stack.bury([{ body: 'not JSON' }]);
  const environment = {
    ...credentials,
    AWS_ENDPOINT_URL_DYNAMODB: stack.outputs.dynamodbEndpoint,
    AWS_ENDPOINT_URL_SQS: stack.outputs.sqsEndpoint,
  };

  const listed = await run('dlq.ts', ['list', '--stage', 'test'], environment);
  const verified = await run('verify.ts', ['--stage', 'test'], environment);

  expect(listed.stderr).toContain('1 dead letter of click-tally-test in us-east-1');
  expect(verified.stdout).toContain('Checked 0 links (0 clicks) of click-tally-test in us-east-1');
  expect([listed.code, verified.code]).toEqual([0, 0]);
});

const port = await findFreePort();
const inRegion = { AWS_REGION: 'us-east-1' };
const check = 'Check the stage, the region and the account.';

test.each<[string[], NodeJS.ProcessEnv, line: string]>([
  [['nowhere'], credentials, `There is no stack click-tally-nowhere in us-east-1. ${check}`],
  [
    ['nowhere', '--region', 'us-west-2'],
    credentials,
    `There is no stack click-tally-nowhere in us-west-2. ${check}`,
  ],
  [['test'], {}, 'No AWS region: set --region or AWS_REGION. sls deploys to us-east-1 by default.'],
  [
    ['test'],
    inRegion,
    'No AWS credentials (Could not load credentials from any providers). Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  ],
  [
    ['refused'],
    credentials,
    'AWS rejected these credentials (The security token included in the request is expired). Renew them, for example with aws sso login.',
  ],
  [
    ['test'],
    { ...credentials, AWS_ENDPOINT_URL_CLOUDFORMATION: `http://127.0.0.1:${port}` },
    `No response from 127.0.0.1:${port}. Check that it is running and that the address is correct.`,
  ],
  [
    [],
    { STACK_FILE: '/nonexistent/stack.json' },
    'No local stack is running (/nonexistent/stack.json does not exist). Start it with npm start, or choose a --stage.',
  ],
  [
    [],
    { STACK_FILE: import.meta.filename },
    `${import.meta.filename} is not a valid stack file. Restart npm start.`,
  ],
])('the stage %j with %j is reported in one line: %s', async (stage, environment, line) => {
  const args = stage.length > 0 ? ['--stage', ...stage] : [];

  const listed = await run('dlq.ts', ['list', ...args], environment);

  expect(listed).toEqual({ code: 2, stdout: '', stderr: `error: ${line}\n` });
});

import { expect, onTestFinished, test } from 'vitest';
import { useAccount } from '../../helpers/cloud-formation.ts';
import { mistake, runOperatorCommand, startOperatedStack } from '../../helpers/operator.ts';
let TableName = '';
const queue = (name) => `https://queues.example.com/000000000000/${name}`;
const account = useAccount(() => ({
    TableName,
    ClickQueueUrl: queue('click-tally-local-clicks'),
    ClickDlqUrl: queue('ClickDLQ'),
    ClickRuleDlqUrl: queue('ClickRuleDLQ'),
}));
const run = (script, args, environment) => runOperatorCommand(script, args, { AWS_EC2_METADATA_DISABLED: 'true', ...environment });
test("a stage is found by its stack's outputs, at AWS_ENDPOINT_URL", async () => {
    const stack = await startOperatedStack();
    onTestFinished(stack.stop);
    TableName = stack.outputs.tableName;
    await stack.bury([{ body: 'not JSON' }]);
    const environment = {
        ...account,
        AWS_ENDPOINT_URL_DYNAMODB: stack.outputs.dynamodbEndpoint,
        AWS_ENDPOINT_URL_SQS: stack.outputs.sqsEndpoint,
    };
    const listed = await run('dlq.ts', ['list', '--stage', 'test'], environment);
    const verified = await run('verify.ts', ['--stage', 'test'], environment);
    expect(listed.stderr).toContain('1 dead letter of click-tally-test in us-east-1');
    expect(verified.stdout).toContain('Checked 0 links (0 clicks) of click-tally-test in us-east-1');
    expect(listed.code).toBe(0);
    expect(verified.code).toBe(0);
});
const check = 'Check the stage, the region and the account.';
const without = (...names) => Object.fromEntries(names.map((name) => [name, undefined]));
test.each([
    ['--stage nowhere', {}, `There is no stack click-tally-nowhere in us-east-1. ${check}`],
    [
        '--stage test',
        without('AWS_REGION'),
        'No AWS region: set --region or AWS_REGION. sls deploys to us-east-1 by default.',
    ],
    [
        '--stage test',
        without('AWS_ACCESS_KEY_ID'),
        'No AWS credentials (Could not load credentials from any providers). Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    ],
    [
        '',
        { STACK_FILE: '/nonexistent/stack.json' },
        'No local stack is running (/nonexistent/stack.json does not exist). Start it with npm start, or choose a --stage.',
    ],
])('the stack "%s" with %j is reported in one line: %s', async (stage, environment, line) => {
    const args = stage.split(' ').filter(Boolean);
    const listed = await run('dlq.ts', ['list', ...args], { ...account, ...environment });
    expect(listed).toEqual(mistake(line));
});

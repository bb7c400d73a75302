import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { Option } from 'commander';
import { localClientConfig } from '../loopback/local-aws.ts';
import { parsePort } from './terminal/arguments.ts';
import { CommandError } from './terminal/command-error.ts';
import { readRunningStack } from './terminal/running-stack.ts';
const region = new Option('--region <name>', "the stage's region (default: the region of your AWS settings)");
export function addStackOptions(command) {
    const port = new Option('--port <n>', 'the stack of npm start on this port (default: 3000)');
    return command
        .option('--stage <name>', 'a stage on AWS (default: the stack of npm start)')
        .addOption(port.argParser(parsePort).conflicts('stage'))
        .addOption(region);
}
/** Adds the options that choose a stage on AWS, for commands that don't work on the local stack. */
export function addStageOptions(command) {
    return command.option('--stage <name>', 'the stage on AWS (required)').addOption(region);
}
// Gives up on a dead endpoint within seconds, but waits out the throttling of a long scan.
const patience = {
    maxAttempts: 5,
    requestHandler: { connectionTimeout: 3000, requestTimeout: 30000, throwOnRequestTimeout: true },
};
/**
 * Finds a stage by the outputs of its CloudFormation stack, or the local stack by the file that
 * exists while it runs (STACK_FILE). For a stage, AWS_ENDPOINT_URL and its variants apply.
 *
 * @throws {CommandError} if the stack doesn't exist.
 */
export async function findStack({ stage, region, port }) {
    if (stage !== undefined)
        return describeStage(stage, region);
    if (region !== undefined)
        throw new CommandError('Expected --region together with --stage; got --region alone.');
    return readLocalStack(port);
}
async function readLocalStack(port) {
    const { token, ...stack } = await readRunningStack(port);
    const name = `the local stack at ${stack.api}`;
    const outputs = {
        ApiUrl: stack.api,
        TableName: stack.tableName,
        ClickQueueUrl: stack.clickQueueUrl,
        ClickDlqUrl: stack.clickDlqUrl,
        ClickRuleDlqUrl: stack.clickRuleDlqUrl,
        BusName: stack.busName,
    };
    const configFor = (endpoint) => ({ ...localClientConfig(endpoint), ...patience });
    return {
        name,
        output: (output) => requireOutput(name, outputs, output),
        token,
        clientConfig: {
            dynamodb: configFor(stack.dynamodbEndpoint),
            sqs: configFor(stack.sqsEndpoint),
            events: configFor(stack.eventsEndpoint),
            others: patience,
        },
    };
}
async function describeStage(stage, region) {
    const stackName = `click-tally-${stage}`;
    const config = { ...patience, ...(region !== undefined && { region }) };
    const client = new CloudFormation(config);
    const name = `${stackName} in ${await readRegion(client)}`;
    const outputs = await readOutputs(client, stackName, name);
    return {
        name,
        output: (output) => requireOutput(name, outputs, output),
        clientConfig: { dynamodb: config, sqs: config, events: config, others: config },
    };
}
async function readRegion(client) {
    try {
        return await client.config.region();
    }
    catch {
        throw new CommandError('No AWS region: set --region or AWS_REGION. sls deploys to us-east-1 by default.');
    }
}
async function readOutputs(client, stackName, name) {
    try {
        const { Stacks } = await client.describeStacks({ StackName: stackName });
        const entries = Stacks?.[0]?.Outputs ?? [];
        return Object.fromEntries(entries.map((entry) => [entry.OutputKey, entry.OutputValue]));
    }
    catch (error) {
        const { message } = error;
        if (!/does not exist/.test(message))
            throw error;
        throw new CommandError(`There is no stack ${name}. Check the stage, the region and the account.`);
    }
}
function requireOutput(stack, outputs, name) {
    const value = outputs[name];
    if (value)
        return value;
    throw new CommandError(`Expected ${stack} to have the output ${name}; it's missing.`);
}

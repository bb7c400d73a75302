import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { type Command, Option } from 'commander';
import { localClientConfig } from '../loopback/local-aws.ts';
import { parsePort } from './terminal/arguments.ts';
import { CommandError } from './terminal/command-error.ts';
import { readRunningStack } from './terminal/running-stack.ts';

const region = new Option(
  '--region <name>',
  "the stage's region (default: the region of your AWS settings)",
);

export function addStackOptions(command: Command): Command {
  const port = new Option('--port <n>', 'the stack of npm start on this port (default: 3000)');
  return command
    .option('--stage <name>', 'a stage on AWS (default: the stack of npm start)')
    .addOption(port.argParser(parsePort).conflicts('stage'))
    .addOption(region);
}

/** Adds the options that choose a stage on AWS, for commands that don't work on the local stack. */
export function addStageOptions(command: Command): Command {
  return command.option('--stage <name>', 'the stage on AWS (required)').addOption(region);
}

/** Chooses a stage on AWS or, without `stage`, the local stack. */
export interface StackOptions {
  stage?: string;
  region?: string;
  port?: number;
}

/** The names of a deployed stack's outputs. The local stack has the first six, and those of a standby. */
export type OutputName =
  | 'ApiUrl'
  | 'TableName'
  | 'ClickQueueUrl'
  | 'ClickDlqUrl'
  | 'ClickRuleDlqUrl'
  | 'BusName'
  | 'StandbyRegion'
  | 'StandbyTableName'
  | 'StandbyDlqUrl'
  | 'UserPoolId'
  | 'CommandClientId'
  | 'AlarmTopicArn'
  | 'CommandSignIn'
  | 'CommandCallback'
  | 'SignInIssuer'
  | 'SignInScope';

type ClientConfig = Partial<ReturnType<typeof localClientConfig>> & typeof patience;

export interface Stack {
  /** The stack's name in messages. */
  name: string;
  /** @throws {CommandError} if the stack doesn't have this output. */
  output(name: OutputName): string;
  /** For the protected routes. Only the local stack has one. */
  token?: string;
  /** Configures the SDK's client of each service. */
  clientConfig: Record<'dynamodb' | 'sqs' | 'events' | 'others', ClientConfig>;
  /**
   * The same in the standby's Region.
   * @throws {CommandError} if the stack doesn't have a standby.
   */
  standbyConfig(): Record<'dynamodb' | 'sqs', ClientConfig>;
}

// Gives up on a dead endpoint within seconds, but waits out the throttling of a long scan.
const patience = {
  maxAttempts: 5,
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
};

/**
 * Finds a stage by the outputs of its CloudFormation stack, or the local stack by the file that
 * exists while it runs (STACK_FILE). For a stage, AWS_ENDPOINT_URL and its variants apply.
 *
 * @throws {CommandError} if the stack doesn't exist.
 */
export async function findStack({ stage, region, port }: StackOptions): Promise<Stack> {
  if (stage !== undefined) return describeStage(stage, region);
  if (region !== undefined)
    throw new CommandError('Expected --region together with --stage; got --region alone.');
  return readLocalStack(port);
}

async function readLocalStack(port?: number): Promise<Stack> {
  const { token, ...stack } = await readRunningStack(port);
  const name = `the local stack at ${stack.api}`;
  const outputs: Partial<Record<OutputName, string>> = {
    ApiUrl: stack.api,
    TableName: stack.tableName,
    ClickQueueUrl: stack.clickQueueUrl,
    ClickDlqUrl: stack.clickDlqUrl,
    ClickRuleDlqUrl: stack.clickRuleDlqUrl,
    BusName: stack.busName,
    StandbyTableName: stack.standby?.tableName,
    StandbyDlqUrl: stack.standby?.dlqUrl,
  };
  const configFor = (endpoint: string) => ({ ...localClientConfig(endpoint), ...patience });
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
    standbyConfig: () => {
      if (!stack.standby) throw noStandbyError(name);
      const { dynamodbEndpoint, sqsEndpoint } = stack.standby;
      return { dynamodb: configFor(dynamodbEndpoint), sqs: configFor(sqsEndpoint) };
    },
  };
}

async function describeStage(stage: string, region?: string): Promise<Stack> {
  const stackName = `click-tally-${stage}`;
  const config: ClientConfig = { ...patience, ...(region !== undefined && { region }) };
  const client = new CloudFormation(config);
  const name = `${stackName} in ${await readRegion(client)}`;
  const outputs = await readOutputs(client, stackName, name);
  return {
    name,
    output: (output) => requireOutput(name, outputs, output),
    clientConfig: { dynamodb: config, sqs: config, events: config, others: config },
    standbyConfig: () => {
      const { StandbyRegion } = outputs;
      if (!StandbyRegion) throw noStandbyError(name);
      const inStandby: ClientConfig = { ...patience, region: StandbyRegion };
      return { dynamodb: inStandby, sqs: inStandby };
    },
  };
}

function noStandbyError(name: string): CommandError {
  return new CommandError(
    `Expected ${name} to have a standby; it has none. See docs/deploy.md#a-standby.`,
  );
}

async function readRegion(client: CloudFormation): Promise<string> {
  try {
    return await client.config.region();
  } catch {
    throw new CommandError(
      'No AWS region: set --region or AWS_REGION. sls deploys to us-east-1 by default.',
    );
  }
}

async function readOutputs(client: CloudFormation, stackName: string, name: string) {
  try {
    const { Stacks } = await client.describeStacks({ StackName: stackName });
    const entries = Stacks?.[0]?.Outputs ?? [];
    return Object.fromEntries(entries.map((entry) => [entry.OutputKey, entry.OutputValue]));
  } catch (error) {
    const { message } = error as Error;
    if (!/does not exist/.test(message)) throw error;
    throw new CommandError(
      `There is no stack ${name}. Check the stage, the region and the account.`,
    );
  }
}

function requireOutput(
  stack: string,
  outputs: Partial<Record<string, string>>,
  name: OutputName,
): string {
  const value = outputs[name];
  if (value) return value;
  throw new CommandError(`Expected ${stack} to have the output ${name}; it's missing.`);
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import type { Command } from 'commander';
import * as z from 'zod/mini';
import { localClientConfig } from '../local/engines/aws.ts';
import { CommandError } from '../terminal/command-error.ts';

/** Adds the options that choose a stack. */
export function addStackOptions(command: Command): Command {
  return command
    .option('--stage <name>', 'a stage on AWS (default: the stack of npm start)')
    .option('--region <name>', "the stage's region (default: the region of your AWS settings)");
}

/** Chooses a stage on AWS, or without one the local stack. */
export interface StackOptions {
  stage?: string;
  region?: string;
}

/** The names of a deployed stack's outputs. The local stack has the first five. */
export type OutputName =
  | 'ApiUrl'
  | 'TableName'
  | 'ClickQueueUrl'
  | 'ClickDlqUrl'
  | 'BusName'
  | 'UserPoolId'
  | 'UserPoolClientId';

type ClientConfig = Partial<ReturnType<typeof localClientConfig>> & typeof patience;

export interface Stack {
  /** The stack's name in messages. */
  name: string;
  /** @throws {CommandError} if the stack has no such output. */
  output(name: OutputName): string;
  /** For the protected routes; only the local stack issues one. */
  token?: string;
  /** Configures the SDK's client of each service. */
  clientConfig: Record<'dynamodb' | 'sqs' | 'events' | 'cognito', ClientConfig>;
}

const serviceName = 'click-tally';
const defaultStackFile = path.join(import.meta.dirname, '../.local/stack.json');

// Gives up on a dead endpoint within seconds, but waits out the throttling of a long scan.
const patience = {
  maxAttempts: 5,
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
};

const stackFileSchema = z.object({
  api: z.url(),
  token: z.string(),
  dynamodbEndpoint: z.url(),
  sqsEndpoint: z.url(),
  eventsEndpoint: z.url(),
  tableName: z.string(),
  clickQueueUrl: z.url(),
  clickDlqUrl: z.url(),
  busName: z.string(),
});

/**
 * Finds a stage by the outputs of its CloudFormation stack, or the local stack by the file that
 * exists while it runs (STACK_FILE). For a stage, AWS_ENDPOINT_URL and its variants apply.
 *
 * @throws {CommandError} if there is no such stack.
 */
export function findStack({ stage, region }: StackOptions): Promise<Stack> {
  return stage === undefined ? readLocalStack() : describeStage(stage, region);
}

async function readLocalStack(): Promise<Stack> {
  const file = process.env.STACK_FILE || defaultStackFile;
  const parsed = stackFileSchema.safeParse(await readJson(file));
  if (!parsed.success)
    throw new CommandError(`${file} is not a valid stack file. Restart npm start.`);
  const { token, ...stack } = parsed.data;
  const outputs: Partial<Record<OutputName, string>> = {
    ApiUrl: stack.api,
    TableName: stack.tableName,
    ClickQueueUrl: stack.clickQueueUrl,
    ClickDlqUrl: stack.clickDlqUrl,
    BusName: stack.busName,
  };
  const configFor = (endpoint: string) => ({ ...localClientConfig(endpoint), ...patience });
  return {
    name: 'the local stack',
    output: (name) => requireOutput('the local stack', outputs, name),
    token,
    clientConfig: {
      dynamodb: configFor(stack.dynamodbEndpoint),
      sqs: configFor(stack.sqsEndpoint),
      events: configFor(stack.eventsEndpoint),
      cognito: patience,
    },
  };
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(
      code === 'ENOENT'
        ? `No local stack is running (there is no ${file}). Start it with npm start, or name a --stage.`
        : `Cannot read the local stack's file: ${message}`,
    );
  }
}

async function describeStage(stage: string, region?: string): Promise<Stack> {
  const stackName = `${serviceName}-${stage}`;
  const config: ClientConfig = { ...patience, ...(region !== undefined && { region }) };
  const client = new CloudFormationClient(config);
  try {
    const name = `${stackName} in ${await readRegion(client)}`;
    const outputs = await readOutputs(client, stackName, name);
    const clientConfig = { dynamodb: config, sqs: config, events: config, cognito: config };
    return { name, output: (output) => requireOutput(name, outputs, output), clientConfig };
  } finally {
    client.destroy();
  }
}

async function readRegion(client: CloudFormationClient): Promise<string> {
  try {
    return await client.config.region();
  } catch {
    throw new CommandError(
      'No AWS region: set --region or AWS_REGION. sls deploys to us-east-1 by default.',
    );
  }
}

async function readOutputs(client: CloudFormationClient, stackName: string, name: string) {
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
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
  throw new CommandError(`Expected ${stack} to have the output ${name}; it has none.`);
}

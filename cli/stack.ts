import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import type { Command } from 'commander';
import * as z from 'zod/mini';
import { localClientConfig } from '../local/engines/aws.ts';
import { CommandError } from '../terminal/command-error.ts';

/** Adds the options that name a stack. */
export function addStackOptions(command: Command): Command {
  return command
    .option('--stage <name>', 'a stage deployed to AWS; by default the stack of npm start')
    .option('--region <name>', "the stage's region; by default the region of your AWS settings");
}

/** Which stack is meant: a stage on AWS, or without one the stack that runs on this machine. */
export interface StackOptions {
  stage?: string;
  region?: string;
}

/** The names of a deployed stack's outputs; the local stack answers to the first five. */
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
  /** For people. */
  name: string;
  /** @throws {CommandError} where the stack has no such output. */
  output(name: OutputName): string;
  /** For the protected routes; only the local stack hands one out. */
  token?: string;
  /** For the SDK's client of each service. */
  clientConfig: Record<'dynamodb' | 'sqs' | 'events' | 'cognito', ClientConfig>;
}

const serviceName = 'click-tally';
const defaultStackFile = path.join(import.meta.dirname, '../.local/stack.json');

// A dead endpoint is told within seconds; throttling, as a long scan may meet it, is waited out.
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
 * Finds a stage by the outputs of its CloudFormation stack, or the local stack by the file that it
 * keeps while it runs (STACK_FILE). AWS_ENDPOINT_URL and the like hold for a stage.
 *
 * @throws {CommandError} where there is no such stack.
 */
export function findStack({ stage, region }: StackOptions): Promise<Stack> {
  return stage === undefined ? readLocalStack() : describeStage(stage, region);
}

async function readLocalStack(): Promise<Stack> {
  const file = process.env.STACK_FILE || defaultStackFile;
  const parsed = stackFileSchema.safeParse(await readJson(file));
  if (!parsed.success) throw new CommandError(`${file} is not the file of a local stack.`);
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
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new CommandError(
      isMissing
        ? `No local stack runs (there is no ${file}). Start it with npm start, or name a --stage.`
        : `Expected the file of a local stack in ${file}; got ${error}`,
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
      'No AWS region: name one with --region or AWS_REGION. sls deploys to us-east-1 unless told.',
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
    throw new CommandError(`There is no stack ${name}. Are stage, region and account right?`);
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

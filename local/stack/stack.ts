import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SQSClient } from '@aws-sdk/client-sqs';
import { localClientConfig, region } from '../engines/aws.ts';
import { findFreePort } from '../engines/ports.ts';
import { packageService, projectDir, type ServiceParams } from '../engines/serverless.ts';
import { createTeardown, type Stoppable, type Teardown } from '../engines/teardown.ts';
import { readTemplate, type Template } from '../engines/template.ts';
import { type Engines, startEngines } from './engines.ts';
import { startEventSourceMappings } from './event-source-mapping.ts';
import { apiUrl, type RunningFunctions, startFunctions } from './functions.ts';
import { queueUrl } from './queues.ts';
import { createResources } from './resources.ts';
import type { TokenIssuer } from './token-issuer.ts';

export const localDir = path.join(projectDir, '.local');
const stage = 'local';

export interface StackOptions {
  /** Of the API; a free one if none is given. */
  port?: number;
  /** Where to write the outputs as JSON for as long as the stack runs. */
  stackFile?: string;
  /** Where to write what the functions log. */
  logFile?: string;
  /** In place of what serverless.yml has for the stage `local`. */
  params?: ServiceParams;
  onProgress?: (text: string) => void;
  /** Gets each line that the functions log. */
  onLog?: (line: string) => void;
  /** Gets what went wrong while the stack goes on. */
  onError?: (error: Error) => void;
}

export interface StackOutputs {
  api: string;
  token: string;
  dynamodbEndpoint: string;
  sqsEndpoint: string;
  eventsEndpoint: string;
  region: string;
  tableName: string;
  clickQueueUrl: string;
  clickDlqUrl: string;
  busName: string;
}

export interface LocalStack {
  outputs: StackOutputs;
  /** Makes a token that the API takes, or one that it must not: `expiresIn: '-1s'`. */
  issueToken: TokenIssuer['issueToken'];
  /** Invokes a function by its deployed name, as `click-tally-local-aggregate-clicks`. */
  invoke: RunningFunctions['invoke'];
  /** Ends the functions and starts them anew; what is in the queues and the table stays. */
  restartFunctions(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the whole service on this machine from the serverless.yml that deploys it, and waits until
 * it works.
 * @throws Error that says what failed, once everything that had been started is stopped.
 */
export async function startStack(options: StackOptions = {}): Promise<LocalStack> {
  const teardown = createTeardown();
  try {
    return await assemble(options, teardown);
  } catch (error) {
    await teardown.stop();
    throw error;
  }
}

async function assemble(options: StackOptions, teardown: Teardown): Promise<LocalStack> {
  const { onProgress = ignore, onError = ignore } = options;
  const port = options.port ?? (await findFreePort());
  const engines = await startEngines(teardown);
  onProgress(`DynamoDB (${engines.dynamodb.engine}), SQS, EventBridge and a token issuer run`);

  const outputs = await nameOutputs(engines, port);
  const building = [
    packageTemplate(options.params),
    teardown.use(runFunctions(options, engines, outputs, port)),
  ] as const;
  // When one fails, the other is not left halfway.
  await Promise.allSettled(building);
  const [template, functions] = await Promise.all(building);
  onProgress('The functions and their API run');

  const sqs = new SQSClient(localClientConfig(engines.queues.url));
  const { tableName } = outputs;
  const resources = await createResources({ template, engines, sqs, tableName, teardown });
  const { invoke } = functions;
  await teardown.use(startEventSourceMappings({ template, resources, sqs, invoke, onError }));
  onProgress('The table, the queues and the bus are there, and ClickQueue is polled');

  if (options.stackFile) await teardown.use(writeStackFile(options.stackFile, outputs));
  return {
    outputs,
    issueToken: engines.issuer.issueToken,
    invoke,
    restartFunctions: functions.restart,
    stop: teardown.stop,
  };
}

/** Names are made up before there is a template, so that it and the functions build side by side. */
async function nameOutputs(engines: Engines, port: number): Promise<StackOutputs> {
  const { dynamodb, queues, bus, issuer } = engines;
  return {
    api: apiUrl(port),
    token: await issuer.issueToken(),
    dynamodbEndpoint: dynamodb.endpoint,
    sqsEndpoint: queues.url,
    eventsEndpoint: bus.url,
    region,
    // Unlike the rest, DynamoDB may have been there before, with a table of another stack.
    tableName: `ClickTable-${randomUUID()}`,
    clickQueueUrl: queueUrl(queues.url, 'ClickQueue'),
    clickDlqUrl: queueUrl(queues.url, 'ClickDLQ'),
    busName: 'ClickBus',
  };
}

async function packageTemplate(params?: ServiceParams): Promise<Template> {
  const outDir = await mkdtemp(path.join(tmpdir(), 'click-tally-package-'));
  try {
    await packageService({ stage, outDir, params });
    return await readTemplate(outDir);
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

function runFunctions(
  options: StackOptions,
  { issuer }: Engines,
  outputs: StackOutputs,
  apiPort: number,
): Promise<RunningFunctions> {
  const { tableName, busName, clickQueueUrl } = outputs;
  const jwt = { jwtIssuer: issuer.issuer, jwtAudience: issuer.audience };
  return startFunctions({
    stage,
    apiPort,
    params: { tableName, busName, clickQueueUrl, ...jwt, ...options.params },
    ...jwt,
    dynamodbEndpoint: outputs.dynamodbEndpoint,
    sqsEndpoint: outputs.sqsEndpoint,
    eventsEndpoint: outputs.eventsEndpoint,
    logFile: options.logFile ?? path.join(localDir, 'functions.log'),
    onLog: options.onLog,
    onError: options.onError,
  });
}

async function writeStackFile(file: string, outputs: StackOutputs): Promise<Stoppable> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(outputs, null, 2)}\n`);
  return { stop: () => rm(file, { force: true }) };
}

function ignore(): void {}

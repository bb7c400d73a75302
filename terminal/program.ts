import { Command, CommanderError } from 'commander';
import { explainError } from './explain-error.ts';

/** How a command ended; a shell sees it as the exit code. */
export const exitCodes = { success: 0, drift: 1, mistake: 2, interrupted: 130 };

// npm passes on a Ctrl-C that the terminal has already sent; only a later one means "at once".
const repeatedSignalMs = 1_000;

/** A program of this folder: what is wrong with its options ends it with a line and exit code 2. */
export function createProgram(name: string, description: string): Command {
  return new Command(`npm run ${name} --`)
    .description(description)
    .exitOverride()
    .showHelpAfterError('Add --help to see what there is.');
}

/** Adds what every command needs to find its stack. */
export function addStackOptions(command: Command): Command {
  return command
    .option('--stage <name>', 'a stage deployed to AWS; without it, the stack of npm start')
    .option('--region <name>', "the stage's region, in place of the one that AWS tools are set to");
}

/** Runs a program to its end. Whatever goes wrong becomes a line and exit code 2. */
export async function runProgram(program: Command): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? exitCodes.success : exitCodes.mistake;
      return;
    }
    process.exitCode = exitCodes.mistake;
    console.error(`error: ${explainError(error)}`);
  }
}

/**
 * Aborts at Ctrl-C or SIGTERM, and when nobody reads the output any more, so that a command can put
 * things in order. A second Ctrl-C ends the process at once.
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
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    controller.abort();
  });
  return controller.signal;
}

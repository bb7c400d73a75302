import { Command, CommanderError } from 'commander';
import { explainError } from './explain-error.ts';

/** What a shell sees as the exit code. `failure`: the command worked and found something wrong. */
export const exitCodes = { success: 0, failure: 1, mistake: 2, interrupted: 130 };

// npm repeats a Ctrl-C that the terminal has already sent; only a later one means "at once".
const repeatedSignalMs = 1_000;

/** Creates the program behind `npm run <name>`; a usage error prints one line and exits with 2. */
export function createProgram(name: string, description: string): Command {
  return new Command(`npm run ${name} --`)
    .description(description)
    .allowExcessArguments(false)
    .exitOverride()
    .showHelpAfterError('Add --help to see the options.');
}

/** Runs a program to its end. Any error becomes one line and exit code 2. */
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
 * Aborts on Ctrl-C, on SIGTERM, and when nobody reads the output any more, so that a command can
 * clean up. A second Ctrl-C ends the process at once.
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

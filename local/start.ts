import path from 'node:path';
import { createInterface } from 'node:readline';
import { styleText } from 'node:util';
import { Option } from 'commander';
import { parsePort } from '../cli/terminal/arguments.ts';
import { CommandError } from '../cli/terminal/command-error.ts';
import { escapeText } from '../cli/terminal/print.ts';
import {
  abortOnInterrupt,
  createProgram,
  exitCodes,
  runProgram,
  untilAborted,
} from '../cli/terminal/program.ts';
import {
  choosePort,
  defaultPort,
  reserveStackFile,
  stackFileOf,
} from '../cli/terminal/running-stack.ts';
import { isPortTaken } from '../loopback/ports.ts';
import type { DemoOptions } from './demo.ts';
import { formatInstructions } from './instructions.ts';
import { startStackUnlessAborted } from './stack/interruptible-start.ts';
import type { LocalStack } from './stack/stack.ts';

const description = `Run the whole service on this machine until Ctrl-C, from the same serverless.yml that is deployed.

Environment variables:
  PORT        the API's port; --port takes precedence
  STACK_FILE  the file that lists all addresses while the stack runs
              (default: .local/stack.json, or .local/stack-<port>.json)`;

const demoDescription = `Run the four tests that matter and check the counts, in about two minutes.

Uses the stack of npm start if it is running, otherwise its own. Exits with 1 if a count is wrong.
With --standby, it starts a stack in two Regions, takes the home Region away and brings it back.`;

const program = createProgram('start', description)
  .enablePositionalOptions()
  .option('--port <n>', "the API's port (default: 3000)", parsePort)
  .option('--standby', 'with a standby in a second Region, and a front that fails over')
  .action(start);

program
  .command('demo')
  .summary('run the four tests that matter and check the counts')
  .description(demoDescription)
  .option('--port <n>', 'the stack of npm start on this port (default: 3000)', parsePort)
  .addOption(
    new Option('--standby', 'lose the home Region, on a stack of its own').conflicts('port'),
  )
  .action(async (options: DemoOptions) => (await import('./demo.ts')).demo(options));

await runProgram(program);
// Work abandoned by an interrupt would keep the process alive.
process.exit();

async function start(options: { port?: number; standby?: boolean }): Promise<void> {
  const port = choosePort(options.port);
  const stackFile = stackFileOf(port);
  const logFile = stackFile.replace(/(\.json)?$/, '.log');
  await checkPort(port);
  await reserveStackFile(stackFile);
  console.log('Starting click-tally on this machine …');
  const signal = abortOnInterrupt();
  signal.addEventListener('abort', () => console.log('\nStopping …'));
  const onProgress = (text: string) => {
    if (!signal.aborted) printProgress(text);
  };
  const stack = await startStackUnlessAborted(
    { port, hasStandby: options.standby, stackFile, logFile, onProgress, onError },
    signal,
  );
  if (stack) {
    console.log(formatInstructions(stack.outputs));
    console.log(`${show(stackFile)} lists all addresses; the functions log to ${show(logFile)}.\n`);
    if (stack.home) takeAwayOnEnter(stack.home);
    await untilAborted(signal);
    await stack.stop();
  }
  // Ctrl-C is the normal way to stop this command.
  process.exitCode = exitCodes.success;
}

/** Takes the home Region away when the user presses Enter, and brings it back at the next Enter. */
function takeAwayOnEnter(home: NonNullable<LocalStack['home']>): void {
  console.log('Press Enter to take the home Region away, and again to bring it back.');
  createInterface({ input: process.stdin }).on('line', () => {
    if (home.isGone()) home.bringBack();
    else home.takeAway();
    console.log(
      home.isGone()
        ? 'The home Region is gone. Links redirect, and their clicks wait.'
        : 'The home Region is back. The clicks that waited are counted now.',
    );
  });
}

/** @throws {CommandError} if the port is taken. */
async function checkPort(port: number): Promise<void> {
  if (!(await isPortTaken(port))) return;
  throw new CommandError(
    `Port ${port} is taken. Free it, or use another: npm start -- --port ${port === defaultPort ? port + 1 : defaultPort}`,
  );
}

function printProgress(text: string): void {
  const seconds = (performance.now() / 1000).toFixed(1);
  console.log(`${styleText('green', '✔')} ${text} ${styleText('dim', `(${seconds} s)`)}`);
}

function onError({ message }: Error): void {
  console.error(`${styleText('red', '✖', { stream: process.stderr })} ${escapeText(message)}`);
}

/** Formats a path as the user would type it here. */
function show(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith('..') ? file : relative;
}

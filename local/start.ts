import path from 'node:path';
import { styleText } from 'node:util';
import { CommandError } from '../terminal/command-error.ts';
import {
  abortOnInterrupt,
  createProgram,
  exitCodes,
  runProgram,
  untilAborted,
} from '../terminal/program.ts';
import { isPortTaken } from './engines/ports.ts';
import { formatInstructions } from './instructions.ts';
import { startStackUnlessAborted } from './stack/interruptible-start.ts';
import type { StackOutputs } from './stack/outputs.ts';
import { stackFile } from './stack/stack.ts';

const defaultPort = '3000';
const highestPort = 65_535;
const logFile = path.join(path.dirname(stackFile), 'functions.log');

const description = `Run the whole service on this machine until Ctrl-C, from the same serverless.yml that is deployed.

Environment variables:
  PORT        the API's port (default: ${defaultPort})
  STACK_FILE  the file that lists all addresses (default: .local/stack.json)`;

await runProgram(createProgram('start', description).action(start));
// Work that an interrupt abandoned would keep the process alive.
process.exit();

async function start(): Promise<void> {
  const port = await readPort(process.env.PORT || defaultPort);
  console.log('Starting click-tally on this machine …');
  const signal = abortOnInterrupt();
  signal.addEventListener('abort', () => console.log('\nStopping …'));
  const onProgress = (text: string) => {
    if (!signal.aborted) printProgress(text);
  };
  const stack = await startStackUnlessAborted(
    { port, stackFile, logFile, onProgress, onError },
    signal,
  );
  if (stack) {
    printWelcome(stack.outputs);
    await untilAborted(signal);
    await stack.stop();
  }
  // Ctrl-C is the normal way to stop this command.
  process.exitCode = exitCodes.success;
}

function printWelcome(outputs: StackOutputs): void {
  console.log(formatInstructions(outputs));
  console.log(`\n${styleText('bold', `click-tally is ready: ${outputs.api}`)}`);
  console.log(`${show(stackFile)} lists all addresses; the functions log to ${show(logFile)}.`);
  console.log('Ctrl-C stops everything.\n');
}

/** @throws {CommandError} if the string is no port, or the port is taken. */
async function readPort(text: string): Promise<number> {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > highestPort) {
    throw new CommandError(`Expected PORT to be a number from 1 to ${highestPort}; got "${text}".`);
  }
  if (await isPortTaken(port)) {
    const other = port < highestPort ? port + 1 : port - 1;
    throw new CommandError(
      `Port ${port} is taken. Free it or use another: PORT=${other} npm start`,
    );
  }
  return port;
}

function printProgress(text: string): void {
  const seconds = (performance.now() / 1000).toFixed(1);
  console.log(`${styleText('green', '✔')} ${text} ${styleText('dim', `(${seconds} s)`)}`);
}

function onError({ message }: Error): void {
  console.error(`${styleText('red', '✖', { stream: process.stderr })} ${message}`);
}

/** Formats a path as the user would type it here. */
function show(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith('..') ? file : relative;
}

import path from 'node:path';
import { styleText } from 'node:util';
import { endAllChildren } from './engines/child-process.ts';
import { isPortTaken } from './engines/ports.ts';
import { formatInstructions } from './instructions.ts';
import { summarizeError } from './stack/log-line.ts';
import { type LocalStack, localDir, startStack } from './stack/stack.ts';

const defaultPort = '3000';
const highestPort = 65_535;

const stackFile = path.resolve(process.env.STACK_FILE || path.join(localDir, 'stack.json'));
const logFile = path.join(path.dirname(stackFile), 'functions.log');
let starting: Promise<LocalStack> | undefined;
let stack: LocalStack | undefined;
let stopping = false;

try {
  const port = await readPort(process.env.PORT || defaultPort);
  console.log('Starting click-tally on this machine …');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  starting = startStack({ port, stackFile, logFile, onProgress, onLog, onError });
  stack = await starting;
  console.log(formatInstructions(stack.outputs));
  console.log(`\n${styleText('bold', `click-tally is ready: ${stack.outputs.api}`)}`);
  console.log(`All addresses are in ${show(stackFile)}; the functions log to ${show(logFile)}.`);
  console.log('Ctrl-C ends everything.\n');
} catch (error) {
  if (!stopping) {
    onError(error);
    process.exit(1);
  }
}

/** @throws Error when it is no port, or something listens there already. */
async function readPort(text: string): Promise<number> {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > highestPort) {
    throw new Error(`PORT must be a number from 1 to ${highestPort}, but it is "${text}".`);
  }
  if (await isPortTaken(port)) {
    const other = port < highestPort ? port + 1 : port - 1;
    throw new Error(`Port ${port} is taken. Free it or use another: PORT=${other} npm start`);
  }
  return port;
}

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  console.log('\nStopping …');
  // A start that is under way fails when its programs end, and cleans up after itself.
  if (!stack) await endAllChildren();
  const started = await starting?.catch(() => undefined);
  await started?.stop();
  process.exit(0);
}

function onProgress(text: string): void {
  if (stopping) return;
  const seconds = (performance.now() / 1000).toFixed(1);
  console.log(`${styleText('green', '✔')} ${text} ${styleText('dim', `(${seconds} s)`)}`);
}

function onLog(line: string): void {
  const summary = summarizeError(line);
  if (summary) onError(summary);
}

function onError(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  console.error(`${styleText('red', '✖', { stream: process.stderr })} ${message}`);
}

/** A path as one would type it here. */
function show(file: string): string {
  const fromHere = path.relative(process.cwd(), file);
  return fromHere.startsWith('..') ? file : fromHere;
}

import { readFile } from 'node:fs/promises';
import { connect } from './connection.ts';
import { sendMessages } from './queue.ts';
import { addStackOptions, type StackOptions } from './stack.ts';
import { wholeNumber } from './terminal/arguments.ts';
import { CommandError } from './terminal/command-error.ts';
import { printLine } from './terminal/print.ts';
import { createProgram, runProgram } from './terminal/program.ts';

const description = `Send a message to ClickQueue, valid or not: {"id": "…", "detail": {"code": "…", "at": "…"}}`;

/** Enough for every test by hand. A typo mustn't fill the queue. */
const maxTimes = 10_000;

const program = addStackOptions(createProgram('send', description))
  .argument('<message>', 'a JSON object, or the name of a file that holds the message')
  .option('--times <n>', 'number of times to send it', wholeNumber(maxTimes), 1)
  .action(send);

await runProgram(program);

async function send(message: string, { times, ...options }: StackOptions & { times: number }) {
  const body = message.trimStart().startsWith('{') ? message : await readMessage(message);
  const { stackName, clickQueue } = await connect(options);
  await sendMessages(clickQueue, Array<string>(times).fill(body));
  const messages = times === 1 ? 'a message' : `the same message ${times} times`;
  printLine(`Sent ${messages} to ClickQueue of ${stackName}.`);
}

async function readMessage(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw error;
    throw new CommandError(
      `Expected a JSON object or the name of a file; got ${file} (${message}).`,
    );
  }
}

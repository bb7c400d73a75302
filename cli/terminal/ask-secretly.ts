import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError } from './command-error.ts';
import { print } from './print.ts';
import { exitCodes } from './program.ts';

/**
 * Asks for a line on the terminal without echoing the input. The question goes to stderr. Ctrl-C
 * ends the process.
 * @param remedy what to do if there is no terminal
 * @throws {CommandError} if there is no terminal or the line is empty.
 */
export async function askSecretly(what: string, remedy: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new CommandError(`There is no terminal to ask for the ${what}. ${remedy}`);
  }
  const line = await readSecretly(`Enter the ${what}: `);
  if (line !== '') return line;
  throw new CommandError(`Expected the ${what}; got nothing.`);
}

async function readSecretly(question: string): Promise<string> {
  // `terminal: true` turns the terminal's echo off, and readline's own output goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const options = { input: process.stdin, output: nowhere, terminal: true, historySize: 0 };
  const input = createInterface(options);
  const answered = Promise.withResolvers<string>();
  input.once('line', answered.resolve);
  input.once('close', () => answered.resolve(''));
  input.once('SIGINT', () => {
    input.close();
    process.exit(exitCodes.interrupted);
  });
  print(question, process.stderr);
  try {
    return await answered.promise;
  } finally {
    input.close();
    print('\n', process.stderr);
  }
}

import { createInterface } from 'node:readline/promises';
import type { Connection } from '../connection.ts';
import { CommandError } from '../terminal/command-error.ts';
import { escapeText, printLine } from '../terminal/print.ts';
import { deleteMessage } from './move.ts';
import { countLetters, type Selection, Tally, walkSelected } from './selection.ts';

interface PurgeOptions extends Selection {
  yes?: boolean;
}

/**
 * Deletes dead letters permanently. It counts the selected ones, asks for confirmation, and reads
 * the queue again to delete them.
 * @throws {CommandError} if it can't ask for lack of a terminal.
 */
export async function purgeDeadLetters(
  connection: Connection,
  { yes = false, ...selection }: PurgeOptions,
  signal: AbortSignal,
): Promise<void> {
  const found = new Tally();
  await walkSelected(connection, selection, { signal }, async (_, { reason }) => {
    found.add(reason);
    return 'stays';
  });
  if (found.total === 0 || signal.aborted) return printLine('Nothing deleted.');
  const letters = `${countLetters(found.total)} of ${connection.stackName}`;
  const question = `Delete ${letters} permanently (${found.describe()})?`;
  if (!yes && !(await confirm(question, signal))) return printLine('Nothing deleted.');

  const deleted = new Tally();
  await walkSelected(connection, selection, { signal }, async (letter, { reason }) => {
    await deleteMessage(connection.clickDlq, letter);
    deleted.add(reason);
    return 'gone';
  });
  printLine(`Deleted ${countLetters(deleted.total)}.`);
}

async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new CommandError(`${question} There is no terminal to confirm on. Add --yes to delete.`);
  }
  // With `terminal: true`, readline would swallow Ctrl-C.
  const input = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  try {
    const answer = await input.question(escapeText(`${question} Type yes: `), { signal });
    return answer.trim().toLowerCase() === 'yes';
  } catch {
    return false;
  } finally {
    input.close();
  }
}

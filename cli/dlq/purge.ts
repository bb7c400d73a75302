import { createInterface } from 'node:readline/promises';
import type { Connection } from '../connection.ts';
import { CommandError } from '../terminal/command-error.ts';
import { count, escapeText, printLine } from '../terminal/print.ts';
import { describeReasons, type Reason } from './diagnose.ts';
import { deleteMessage } from './move.ts';
import { type Selection, walkSelected } from './selection.ts';

/**
 * Deletes dead letters permanently. It counts the selected ones, asks for confirmation, and reads
 * the queue again to delete them.
 * @throws {CommandError} if it can't ask for lack of a terminal.
 */
export async function purgeDeadLetters(
  connection: Connection,
  { yes = false, ...selection }: Selection & { yes?: boolean },
  signal: AbortSignal,
): Promise<void> {
  const found: Reason[] = [];
  await walkSelected(connection, selection, { signal }, async (_, { reason }) => {
    found.push(reason);
    return 'stays';
  });
  if (found.length === 0 || signal.aborted) return printLine('Nothing deleted.');
  const deadLetters = `${count(found.length, 'dead letter')} of ${connection.stackName}`;
  const question = `Delete ${deadLetters} permanently (${describeReasons(found)})?`;
  if (!yes && !(await confirm(question, signal))) return printLine('Nothing deleted.');

  let deleted = 0;
  await walkSelected(connection, selection, { signal }, async (deadLetter) => {
    await deleteMessage(connection.clickDlq, deadLetter);
    deleted += 1;
    return 'gone';
  });
  printLine(`Deleted ${count(deleted, 'dead letter')}.`);
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

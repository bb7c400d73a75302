import { createInterface } from 'node:readline/promises';
import { DeleteMessageCommand } from '@aws-sdk/client-sqs';
import type { Connection } from '../connection.ts';
import { CommandError } from '../terminal/command-error.ts';
import { escapeText, printLine } from '../terminal/print.ts';
import { type DeadLetter, walkDeadLetters } from './dead-letters.ts';
import { diagnose } from './diagnose.ts';
import { countLetters, isSelected, type Selection, Tally } from './selection.ts';

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
  const found = await walkSelected(connection, selection, signal, async () => 'stays');
  if (found.total === 0 || signal.aborted) return printLine('Nothing deleted.');
  const letters = `${countLetters(found.total)} of ${connection.stackName}`;
  const question = `Delete ${letters} permanently (${found.describe()})?`;
  if (!yes && !(await confirm(question, signal))) return printLine('Nothing deleted.');

  const { sqs, url } = connection.clickDlq;
  const deleted = await walkSelected(connection, selection, signal, async ({ receiptHandle }) => {
    await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: receiptHandle }));
    return 'gone';
  });
  printLine(`Deleted ${countLetters(deleted.total)}.`);
}

async function walkSelected(
  { clickDlq, table }: Connection,
  selection: Selection,
  signal: AbortSignal,
  act: (letter: DeadLetter) => Promise<'stays' | 'gone'>,
): Promise<Tally> {
  const tally = new Tally();
  const visit = async (letter: DeadLetter) => {
    const diagnosis = await diagnose(letter.body, table);
    if (!isSelected(selection, letter, diagnosis)) return 'stays';
    const outcome = await act(letter);
    tally.add(diagnosis.reason);
    return outcome;
  };
  await walkDeadLetters(clickDlq, visit, { signal });
  return tally;
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

import { createInterface } from 'node:readline/promises';
import { DeleteMessageCommand } from '@aws-sdk/client-sqs';
import { CommandError } from '../../terminal/command-error.ts';
import type { Connection } from '../connection.ts';
import { type DeadLetter, walkDeadLetters } from './dead-letters.ts';
import { diagnose } from './diagnose.ts';
import { countLetters, isSelected, type Selection, Tally } from './selection.ts';

export interface PurgeOptions extends Selection {
  yes?: boolean;
}

/**
 * Deletes dead letters for good: it counts first what is meant, asks, and goes through them again.
 * @throws {CommandError} where nobody can be asked.
 */
export async function purgeDeadLetters(
  connection: Connection,
  { yes = false, ...selection }: PurgeOptions,
  signal: AbortSignal,
): Promise<void> {
  const found = await walkSelected(connection, selection, signal, async () => 'stays');
  const what = `${countLetters(found.total)} of ${connection.stackName}`;
  if (found.total === 0 || signal.aborted) return console.log(`Nothing deleted of ${what}.`);
  const question = `Delete ${what} for good (${found.describe()})?`;
  if (!yes && !(await confirm(question, signal))) return console.log('Nothing deleted.');

  const { sqs, url } = connection.clickDlq;
  const deleted = await walkSelected(connection, selection, signal, async ({ receiptHandle }) => {
    await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: receiptHandle }));
    return 'gone';
  });
  console.log(`Deleted ${countLetters(deleted.total)}.`);
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
    throw new CommandError(`${question} Nobody is there to say yes; add --yes to do it.`);
  }
  // Not a terminal to readline, so that Ctrl-C stays a signal.
  const input = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  try {
    const answer = await input.question(`${question} Type yes: `, { signal });
    return answer.trim().toLowerCase() === 'yes';
  } catch {
    return false;
  } finally {
    input.close();
  }
}

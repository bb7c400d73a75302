import type { Connection } from '../connection.ts';
import { formatDuration } from '../duration.ts';
import { type DeadLetter, type Walk, walkDeadLetters } from './dead-letters.ts';
import { type Diagnosis, diagnose } from './diagnose.ts';
import { countLetters, isSelected, type Selection, Tally } from './selection.ts';

export interface ListOptions extends Selection {
  json?: boolean;
}

const columns = ['CLICK ID', 'CODE', 'AGE', 'ATTEMPTS', 'REASON', 'DETAIL'];
const widths = [44, 20, 8, 8, 15, 0];

/** Prints each dead letter as it is read, and leaves it in the queue. */
export async function listDeadLetters(
  { stackName, clickDlq, table }: Connection,
  { json = false, ...selection }: ListOptions,
  signal: AbortSignal,
): Promise<void> {
  const tally = new Tally();
  const print = json ? printJson : printRow;
  const show = async (letter: DeadLetter) => {
    const diagnosis = await diagnose(letter.body, table);
    if (isSelected(selection, letter, diagnosis)) {
      print(letter, diagnosis, tally.total === 0);
      tally.add(diagnosis.reason);
    }
    return 'stays' as const;
  };
  const walk = await walkDeadLetters(clickDlq, show, { signal });
  if (json) process.stdout.write(tally.total === 0 ? '[]\n' : '\n]\n');
  console.error(summarize(stackName, walk, tally));
}

function printJson(letter: DeadLetter, diagnosis: Diagnosis, isFirst: boolean): void {
  const { messageId, firstSentMs, receives, body } = letter;
  const sentAt = new Date(firstSentMs).toISOString();
  const entry = { messageId, ...diagnosis, sentAt, attempts: receives, body };
  process.stdout.write(`${isFirst ? '[' : ','}\n${JSON.stringify(entry)}`);
}

function printRow(letter: DeadLetter, diagnosis: Diagnosis, isFirst: boolean): void {
  if (isFirst) console.log(formatRow(columns));
  const { clickId = '-', code = '-', reason, detail } = diagnosis;
  const age = formatDuration(Date.now() - letter.firstSentMs);
  console.log(formatRow([clickId, code, age, `${letter.receives}`, reason, detail]));
}

function formatRow(cells: string[]): string {
  const padded = cells.map((cell, index) => escapeControls(cell).padEnd(widths[index] ?? 0));
  return padded.join('  ').trimEnd();
}

// Anyone can send a message: it must not move the cursor or reverse the line.
function escapeControls(text: string): string {
  const spellOut = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;
  return text.replace(/[\p{Cc}\p{Cf}]/gu, spellOut);
}

function summarize(stackName: string, { seen, expected }: Walk, tally: Tally): string {
  const others = seen - tally.total;
  return [
    `${countLetters(tally.total)} of ${stackName}${tally.total > 0 ? `: ${tally.describe()}` : ''}.`,
    others > 0 ? ` ${others} not shown.` : '',
    seen < expected.visible ? ` About ${expected.visible - seen} more could not be read.` : '',
    expected.hidden > 0 ? ` About ${expected.hidden} were in flight.` : '',
    seen > 0 ? '\nAll are visible again. SQS counts this read as another attempt.' : '',
  ].join('');
}

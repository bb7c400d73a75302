import type { Connection } from '../connection.ts';
import { formatDuration } from '../duration.ts';
import { count, formatCell, formatJson, print, printLine } from '../terminal/print.ts';
import type { DeadLetter, Walk } from './dead-letters.ts';
import { type Diagnosis, describeReasons, type Reason } from './diagnose.ts';
import { type Selection, walkSelected } from './selection.ts';

// Wide enough for the longest code and for the ids that resolve-link mints. --json prints all ids
// in full.
const idWidth = 49;
const codeWidth = 32;
const columns = ['CLICK ID', 'CODE', 'AGE', 'ATTEMPTS', 'REASON', 'DETAIL'];
const widths = [idWidth, codeWidth, 8, 8, 15];

/** Prints each dead letter as it is read, and leaves it in the queue. */
export async function listDeadLetters(
  connection: Connection,
  { json = false, ...selection }: Selection & { json?: boolean },
  signal: AbortSignal,
): Promise<void> {
  const listed: Reason[] = [];
  const printDeadLetter = json ? printJson : printRow;
  const walk = await walkSelected(
    connection,
    selection,
    { signal },
    async (deadLetter, diagnosis) => {
      printDeadLetter(deadLetter, diagnosis, listed.length === 0);
      listed.push(diagnosis.reason);
      return 'stays';
    },
  );
  if (json) print(listed.length === 0 ? '[]\n' : '\n]\n');
  print(`${summarize(connection.stackName, walk, listed)}\n`, process.stderr);
}

function printJson(deadLetter: DeadLetter, diagnosis: Diagnosis, isFirst: boolean): void {
  const { messageId, firstSentMs, receives, body } = deadLetter;
  const sentAt = new Date(firstSentMs).toISOString();
  const entry = { messageId, ...diagnosis, sentAt, attempts: receives, body };
  print(`${isFirst ? '[' : ','}\n${formatJson(entry)}`);
}

function printRow(deadLetter: DeadLetter, diagnosis: Diagnosis, isFirst: boolean): void {
  if (isFirst) printLine(formatRow(columns));
  const { clickId, code, reason, detail } = diagnosis;
  const id = formatCell(clickId || '-', idWidth);
  const age = formatDuration(Date.now() - deadLetter.firstSentMs);
  const shownCode = formatCell(code || '-', codeWidth);
  printLine(formatRow([id, shownCode, age, `${deadLetter.receives}`, reason, detail]));
}

function formatRow(cells: string[]): string {
  const padded = cells.map((cell, index) => cell.padEnd(widths[index] ?? 0));
  return padded.join('  ').trimEnd();
}

function summarize(stackName: string, { seen, expected }: Walk, listed: Reason[]): string {
  const reasons = listed.length > 0 ? `: ${describeReasons(listed)}` : '';
  const others = seen - listed.length;
  return [
    `${count(listed.length, 'dead letter')} of ${stackName}${reasons}.`,
    others > 0 ? ` ${others} not shown.` : '',
    seen < expected.visible ? ` About ${expected.visible - seen} more could not be read.` : '',
    expected.hidden > 0 ? ` About ${expected.hidden} were in flight.` : '',
    seen > 0
      ? '\nAll are visible again. SQS counts this read as another attempt.'
      : "\nMessages that are still being retried aren't listed.",
  ].join('');
}

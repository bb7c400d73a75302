import type { Connection } from '../connection.ts';
import { count, printLine } from '../terminal/print.ts';
import { describeReasons, failingReasons, type Reason } from './diagnose.ts';
import { createRedrive, type MoveOptions } from './move.ts';
import { type Selection, walkSelected } from './selection.ts';

interface RedriveOptions extends Selection, MoveOptions {
  /** Also moves those that would fail again. */
  includeFailing?: boolean;
}

/**
 * Moves dead letters back to ClickQueue, or with `dryRun` only shows what would happen. Skips those
 * that would fail again, unless `reason` names them or `includeFailing` is set.
 */
export async function redriveDeadLetters(
  connection: Connection,
  { includeFailing, ...options }: RedriveOptions,
  signal: AbortSignal,
): Promise<void> {
  const moved: Reason[] = [];
  const failing: Reason[] = [];
  const accepted = includeFailing ? failingReasons : (options.reason ?? []);
  const startedMs = Date.now();
  const from = { queue: connection.clickDlq, name: 'ClickDLQ' };
  const redrive = await createRedrive(from, connection, options, signal);
  const walk = { signal, ratePerSecond: options.rate, unit: 'dead letters' };
  try {
    await walkSelected(connection, options, walk, async (deadLetter, { reason }) => {
      // A message that this run has moved and that failed again would circulate forever.
      if (deadLetter.sentMs >= startedMs || redrive.isTooOld(deadLetter, `${reason}; `))
        return 'stays';
      if (!failingReasons.includes(reason) || accepted.includes(reason)) {
        return redrive.move(deadLetter, () => moved.push(reason));
      }
      failing.push(reason);
      return 'stays';
    });
  } finally {
    const deadLetters = count(moved.length, 'dead letter');
    printLine(`${redrive.verb} ${deadLetters} to ClickQueue of ${connection.stackName}.`);
    printDetails(moved, failing);
    redrive.report();
  }
}

function printDetails(moved: Reason[], failing: Reason[]): void {
  const countOf = (reason: Reason) => moved.filter((some) => some === reason).length;
  const counted = countOf('countable');
  const already = countOf('id-counted');
  const failingAgain = describeReasons(moved, failingReasons);
  if (counted > 0) printLine(`  ${counted} will be counted`);
  if (already > 0) printLine(`  ${already} have an id that was already counted; no effect`);
  if (failingAgain) printLine(`  will fail again unless something changes: ${failingAgain}`);
  if (failing.length === 0) return;
  const skipped = `${count(failing.length, 'dead letter')} that would fail again`;
  printLine(
    `Skipped ${skipped} (${describeReasons(failing)}). Fix the cause first, or add --include-failing.`,
  );
}

import type { Connection } from '../connection.ts';
import { print, printLine } from '../terminal/print.ts';
import { failingReasons } from './diagnose.ts';
import { createMover, type MoveOptions } from './move.ts';
import { countLetters, type Selection, Tally, walkSelected } from './selection.ts';

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
  const moved = new Tally();
  const failing = new Tally();
  const accepted = includeFailing ? failingReasons : (options.reason ?? []);
  const startedMs = Date.now();
  const mover = await createMover(connection.clickDlq, connection, options, signal);
  const walk = { signal, ratePerSecond: options.rate, unit: 'dead letters' };
  try {
    await walkSelected(connection, options, walk, async (letter, { reason }) => {
      // A message that this run has moved and that failed again would circulate forever.
      if (letter.sentMs >= startedMs || mover.isTooOld(letter, `${reason}; `)) return 'stays';
      if (failingReasons.includes(reason) && !accepted.includes(reason)) {
        failing.add(reason);
      } else if (await mover.move(letter)) {
        moved.add(reason);
        if (!mover.dryRun) return 'gone';
      }
      return 'stays';
    });
  } finally {
    print(`${summarize(connection.stackName, mover.dryRun, moved, failing)}\n`);
    mover.report();
    if (signal.aborted) printLine('Stopped before the end; the rest is still in ClickDLQ.');
  }
}

function summarize(stackName: string, dryRun: boolean, moved: Tally, failing: Tally): string {
  const verb = dryRun ? 'Would move' : 'Moved';
  const failingAgain = moved.describe(failingReasons);
  const lines = [`${verb} ${countLetters(moved.total)} to ClickQueue of ${stackName}.`];
  if (moved.count('countable') > 0) lines.push(`  ${moved.count('countable')} will be counted`);
  const already = moved.count('id-counted');
  if (already > 0) lines.push(`  ${already} have an id that was already counted; no effect`);
  if (failingAgain) lines.push(`  will fail again unless something changes: ${failingAgain}`);
  if (failing.total > 0) {
    lines.push(
      `Skipped ${countLetters(failing.total)} that would fail again (${failing.describe()}). Fix the ` +
        'cause first, or add --include-failing.',
    );
  }
  return lines.join('\n');
}

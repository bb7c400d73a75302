import type { Connection } from '../connection.ts';
import { countMessages } from '../queue.ts';
import { print, printLine } from '../terminal/print.ts';
import { createProgress } from '../terminal/progress.ts';
import { type DeadLetter, walkDeadLetters } from './dead-letters.ts';
import { diagnose, failingReasons, type Reason } from './diagnose.ts';
import { createMover, type MoveOptions } from './move.ts';
import { countLetters, isSelected, type Selection, Tally } from './selection.ts';

interface RedriveOptions extends Selection, MoveOptions {
  /** Also moves those that would fail again. */
  includeFailing?: boolean;
}

interface RedriveOutcome {
  moved: Tally;
  /** Skipped because they would fail again. */
  failing: Tally;
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
  const { stackName, clickDlq, table } = connection;
  const outcome: RedriveOutcome = { moved: new Tally(), failing: new Tally() };
  const accepted = includeFailing ? failingReasons : (options.reason ?? []);
  const startedMs = Date.now();
  const mover = await createMover(clickDlq, connection, options, signal);
  const progress = createProgress((await countMessages(clickDlq)).visible, 'dead letters');

  const redrive = async (letter: DeadLetter, reason: Reason): Promise<boolean> => {
    if (mover.isTooOld(letter, `${reason}; `)) return false;
    if (failingReasons.includes(reason) && !accepted.includes(reason)) {
      outcome.failing.add(reason);
    } else if (await mover.move(letter)) {
      outcome.moved.add(reason);
      return !mover.dryRun;
    }
    return false;
  };
  const visit = async (letter: DeadLetter) => {
    progress.add();
    const diagnosis = await diagnose(letter.body, table);
    // A message that this run has moved and that failed again would circulate forever.
    if (letter.sentMs >= startedMs || !isSelected(options, letter, diagnosis)) return 'stays';
    return (await redrive(letter, diagnosis.reason)) ? 'gone' : 'stays';
  };
  try {
    await walkDeadLetters(clickDlq, visit, { signal, ratePerSecond: options.rate });
  } finally {
    progress.end();
    print(`${summarize(stackName, mover.dryRun, outcome)}\n`);
    mover.report();
    if (signal.aborted) printLine('Stopped before the end; the rest is still in ClickDLQ.');
  }
}

function summarize(stackName: string, dryRun: boolean, { moved, failing }: RedriveOutcome): string {
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

import type { Connection } from '../connection.ts';
import { countMessages, type Queue, readRetentionMs } from '../queue.ts';
import { print, printLine } from '../terminal/print.ts';
import { createProgress } from '../terminal/progress.ts';
import { type DeadLetter, walkDeadLetters } from './dead-letters.ts';
import { diagnose, failingReasons, type Reason } from './diagnose.ts';
import { createPace, moveMessage } from './move.ts';
import { countLetters, isSelected, type Selection, Tally } from './selection.ts';

interface RedriveOptions extends Selection {
  dryRun?: boolean;
  /** Also moves those that would fail again. */
  includeFailing?: boolean;
  /** The maximum number of messages moved per second. */
  rate?: number;
}

interface RedriveOutcome {
  moved: Tally;
  /** Skipped because they would fail again. */
  failing: Tally;
  /** Skipped because their clicks could count twice. */
  tooOld: Tally;
}

/**
 * Moves dead letters back to ClickQueue, or with `dryRun` only shows what would happen. Skips those
 * that would fail again, unless `reason` names them or `includeFailing` is set.
 */
export async function redriveDeadLetters(
  connection: Connection,
  { dryRun = false, includeFailing, rate = Number.POSITIVE_INFINITY, ...selection }: RedriveOptions,
  signal: AbortSignal,
): Promise<void> {
  const { stackName, clickDlq, clickQueue, table } = connection;
  const outcome: RedriveOutcome = { moved: new Tally(), failing: new Tally(), tooOld: new Tally() };
  const accepted = includeFailing ? failingReasons : (selection.reason ?? []);
  const startedMs = Date.now();
  const safeAgeMs = await readSafeAgeMs(clickQueue, clickDlq);
  const keepPace = createPace(rate, signal);
  const progress = createProgress((await countMessages(clickDlq)).visible, 'dead letters');

  const decide = ({ firstSentMs }: DeadLetter, reason: Reason): keyof RedriveOutcome => {
    if (Date.now() - firstSentMs > safeAgeMs) return 'tooOld';
    return failingReasons.includes(reason) && !accepted.includes(reason) ? 'failing' : 'moved';
  };
  const visit = async (letter: DeadLetter) => {
    progress.add();
    const diagnosis = await diagnose(letter.body, table);
    // A message that this run has moved and that failed again would circulate forever.
    if (letter.sentMs >= startedMs || !isSelected(selection, letter, diagnosis)) return 'stays';
    const { reason } = diagnosis;
    const fate = decide(letter, reason);
    const stays = dryRun || fate !== 'moved';
    if (!stays) {
      await keepPace();
      if (signal.aborted) return 'stays';
      await moveMessage(letter, { from: clickDlq, to: clickQueue });
    }
    outcome[fate].add(reason);
    return stays ? 'stays' : 'gone';
  };
  try {
    await walkDeadLetters(clickDlq, visit, { signal, ratePerSecond: rate });
  } finally {
    progress.end();
    print(`${summarize(stackName, dryRun, outcome)}\n`);
    if (signal.aborted) printLine('Stopped before the end; the rest is still in ClickDLQ.');
  }
}

/**
 * Returns the maximum age at which a click may be redriven: up to then, its marker outlives another
 * pass through ClickQueue. Ages are measured from the first arrival in ClickQueue or ClickRuleDLQ,
 * so they are too low for a copy that arrived late by another route
 * (docs/guarantee.md#in-clickdlq).
 */
async function readSafeAgeMs(clickQueue: Queue, clickDlq: Queue): Promise<number> {
  const [queueMs, deadLettersMs] = await Promise.all([clickQueue, clickDlq].map(readRetentionMs));
  return (queueMs ?? 0) + (deadLettersMs ?? 0);
}

function summarize(
  stackName: string,
  dryRun: boolean,
  { moved, failing, tooOld }: RedriveOutcome,
): string {
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
  if (tooOld.total > 0) {
    lines.push(
      `Skipped ${countLetters(tooOld.total)} (${tooOld.describe()}): they first arrived so long ago ` +
        'that a click could count twice.',
    );
  }
  return lines.join('\n');
}

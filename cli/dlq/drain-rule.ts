import type { Connection } from '../connection.ts';
import { countMessages } from '../queue.ts';
import { printLine } from '../terminal/print.ts';
import { createProgress } from '../terminal/progress.ts';
import { type DeadLetter, walkDeadLetters } from './dead-letters.ts';
import { createMover, type MoveOptions } from './move.ts';

/**
 * Moves the events that the bus couldn't deliver from ClickRuleDLQ to ClickQueue, or with `dryRun`
 * only counts them. SQS can't redrive them, because ClickRuleDLQ isn't the dead-letter queue of any
 * queue. Each event keeps its time of arrival in ClickRuleDLQ, so a later redrive knows the copy's
 * age.
 */
export async function drainRule(
  connection: Connection,
  options: MoveOptions,
  signal: AbortSignal,
): Promise<void> {
  const { stackName, clickRuleDlq } = connection;
  const { visible, hidden } = await countMessages(clickRuleDlq);
  const mover = await createMover(clickRuleDlq, connection, options, signal);
  const progress = createProgress(visible, 'events');
  let moved = 0;
  const visit = async (event: DeadLetter) => {
    progress.add();
    if (mover.isTooOld(event) || !(await mover.move(event))) return 'stays';
    moved += 1;
    return mover.dryRun ? 'stays' : 'gone';
  };
  try {
    await walkDeadLetters(clickRuleDlq, visit, { signal, ratePerSecond: options.rate });
  } finally {
    progress.end();
    const events = `${moved} ${moved === 1 ? 'event' : 'events'}`;
    const verb = mover.dryRun ? 'Would move' : 'Moved';
    printLine(`${verb} ${events} from ClickRuleDLQ to ClickQueue of ${stackName}.`);
    mover.report();
    if (hidden > 0) printLine(`About ${hidden} were in flight; run this again in a minute.`);
    if (signal.aborted) printLine('Stopped before the end; the rest is still in ClickRuleDLQ.');
  }
}

import type { Connection } from '../connection.ts';
import { countMessages } from '../queue.ts';
import { printLine } from '../terminal/print.ts';
import { createProgress } from '../terminal/progress.ts';
import { type DeadLetter, walkDeadLetters } from './dead-letters.ts';
import { createPace, moveMessage } from './move.ts';

interface DrainOptions {
  dryRun?: boolean;
  /** The maximum number of messages moved per second. */
  rate?: number;
}

/**
 * Moves the events that the bus couldn't deliver from ClickRuleDLQ to ClickQueue, or with `dryRun`
 * only counts them. SQS can't redrive them, because ClickRuleDLQ isn't the dead-letter queue of any
 * queue. Each event keeps its time of arrival in ClickRuleDLQ, so a later redrive knows the click's
 * age.
 */
export async function drainRule(
  { stackName, clickRuleDlq, clickQueue }: Connection,
  { dryRun = false, rate = Number.POSITIVE_INFINITY }: DrainOptions,
  signal: AbortSignal,
): Promise<void> {
  const { visible, hidden } = await countMessages(clickRuleDlq);
  const keepPace = createPace(rate, signal);
  const progress = createProgress(visible, 'events');
  let moved = 0;
  const visit = async (event: DeadLetter) => {
    progress.add();
    if (!dryRun) {
      await keepPace();
      if (signal.aborted) return 'stays';
      await moveMessage(event, { from: clickRuleDlq, to: clickQueue });
    }
    moved += 1;
    return dryRun ? 'stays' : 'gone';
  };
  try {
    await walkDeadLetters(clickRuleDlq, visit, { signal, ratePerSecond: rate });
  } finally {
    progress.end();
    const events = `${moved} ${moved === 1 ? 'event' : 'events'}`;
    printLine(
      `${dryRun ? 'Would move' : 'Moved'} ${events} from ClickRuleDLQ to ClickQueue of ${stackName}.`,
    );
    if (hidden > 0) printLine(`About ${hidden} were in flight; run this again in a minute.`);
    if (signal.aborted) printLine('Stopped before the end; the rest is still in ClickRuleDLQ.');
  }
}

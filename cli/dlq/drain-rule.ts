import type { Connection } from '../connection.ts';
import { countMessages, type Queue } from '../queue.ts';
import { printLine } from '../terminal/print.ts';
import { createProgress } from '../terminal/progress.ts';
import { type DeadLetter, walkDeadLetters } from './dead-letters.ts';
import { createPace, moveMessage } from './move.ts';

interface DrainOptions {
  dryRun?: boolean;
  /** The maximum number of messages moved per second. */
  rate?: number;
}

/** Moves the events that the bus couldn't deliver from ClickRuleDLQ to ClickQueue. */
export function drainRule(connection: Connection, options: DrainOptions, signal: AbortSignal) {
  const from = { queue: connection.clickRuleDlq, name: 'ClickRuleDLQ' };
  return drain(connection, from, options, signal);
}

/** Moves the clicks of a queue that a deployment kept when it removed it from the stack. */
export function drainQueue(
  connection: Connection,
  { number, ...options }: DrainOptions & { number: number },
  signal: AbortSignal,
) {
  const { sqs, url } = connection.clickQueue;
  const from = { queue: { sqs, url: `${url}-${number}` }, name: `ClickQueue${number}` };
  return drain(connection, from, options, signal);
}

/**
 * Moves a queue's messages to ClickQueue, or with `dryRun` only counts them. SQS can't redrive them,
 * because the queue isn't the dead-letter queue of any queue. Each message keeps its time of arrival,
 * so a later redrive knows the click's age.
 */
async function drain(
  { stackName, clickQueue }: Connection,
  { queue, name }: { queue: Queue; name: string },
  { dryRun = false, rate = Number.POSITIVE_INFINITY }: DrainOptions,
  signal: AbortSignal,
): Promise<void> {
  const { visible, hidden } = await countMessages(queue);
  const keepPace = createPace(rate, signal);
  const progress = createProgress(visible, 'messages');
  let moved = 0;
  const visit = async (message: DeadLetter) => {
    progress.add();
    if (!dryRun) {
      await keepPace();
      if (signal.aborted) return 'stays';
      await moveMessage(message, { from: queue, to: clickQueue });
    }
    moved += 1;
    return dryRun ? 'stays' : 'gone';
  };
  try {
    await walkDeadLetters(queue, visit, { signal, ratePerSecond: rate });
  } finally {
    progress.end();
    const messages = `${moved} ${moved === 1 ? 'message' : 'messages'}`;
    printLine(
      `${dryRun ? 'Would move' : 'Moved'} ${messages} from ${name} to ClickQueue of ${stackName}.`,
    );
    if (hidden > 0) printLine(`About ${hidden} were in flight; run this again in a minute.`);
    if (signal.aborted) printLine(`Stopped before the end; the rest is still in ${name}.`);
  }
}

import type { Connection } from '../connection.ts';
import { countMessages, type Queue } from '../queue.ts';
import { printLine } from '../terminal/print.ts';
import { type DeadLetter, walkDeadLetters } from './dead-letters.ts';
import { createMover, type MoveOptions } from './move.ts';

/** Moves the events that the bus couldn't deliver from ClickRuleDLQ to ClickQueue. */
export function drainRule(connection: Connection, options: MoveOptions, signal: AbortSignal) {
  const from = { queue: connection.clickRuleDlq, name: 'ClickRuleDLQ' };
  return drain(from, connection, options, signal);
}

/** Moves the clicks of a queue that a deployment kept when it removed it from the stack. */
export function drainQueue(
  connection: Connection,
  { number, ...options }: MoveOptions & { number: number },
  signal: AbortSignal,
) {
  const { sqs, url } = connection.clickQueue;
  const from = { queue: { sqs, url: `${url}-${number}` }, name: `ClickQueue${number}` };
  return drain(from, connection, options, signal);
}

/**
 * Moves a queue's messages to ClickQueue, or with `dryRun` only counts them. SQS can't redrive them,
 * because the queue isn't the dead-letter queue of any queue. Each message keeps its time of arrival,
 * so a later redrive knows the copy's age.
 */
async function drain(
  { queue, name }: { queue: Queue; name: string },
  connection: Connection,
  options: MoveOptions,
  signal: AbortSignal,
): Promise<void> {
  const { hidden } = await countMessages(queue);
  const mover = await createMover(queue, connection, options, signal);
  let moved = 0;
  const visit = async (message: DeadLetter) => {
    if (mover.isTooOld(message) || !(await mover.move(message))) return 'stays';
    moved += 1;
    return mover.dryRun ? 'stays' : 'gone';
  };
  try {
    await walkDeadLetters(queue, visit, { signal, ratePerSecond: options.rate, unit: 'messages' });
  } finally {
    const messages = `${moved} ${moved === 1 ? 'message' : 'messages'}`;
    const verb = mover.dryRun ? 'Would move' : 'Moved';
    printLine(`${verb} ${messages} from ${name} to ClickQueue of ${connection.stackName}.`);
    mover.report();
    if (hidden > 0) printLine(`About ${hidden} were in flight; run this again in a minute.`);
    if (signal.aborted) printLine(`Stopped before the end; the rest is still in ${name}.`);
  }
}

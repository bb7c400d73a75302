import { type Connection, connectStandby } from '../connection.ts';
import { countMessages } from '../queue.ts';
import { count, printLine } from '../terminal/print.ts';
import { type DeadLetter, walkDeadLetters } from './dead-letters.ts';
import { createRedrive, type MoveOptions, type Source } from './move.ts';

/** Moves the events that the bus couldn't deliver from ClickRuleDLQ to ClickQueue. */
export function drainRule(connection: Connection, options: MoveOptions, signal: AbortSignal) {
  const from = { queue: connection.clickRuleDlq, name: 'ClickRuleDLQ' };
  return drain(from, connection, options, signal);
}

/** Moves the clicks that the standby couldn't forward from StandbyDLQ to ClickQueue. */
export function drainStandby(connection: Connection, options: MoveOptions, signal: AbortSignal) {
  const from = { queue: connectStandby(connection.stack).dlq, name: 'StandbyDLQ' };
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
  from: Source,
  connection: Connection,
  options: MoveOptions,
  signal: AbortSignal,
): Promise<void> {
  const { queue, name } = from;
  const { hidden } = await countMessages(queue);
  const redrive = await createRedrive(from, connection, options, signal);
  let moved = 0;
  const onMoved = () => {
    moved += 1;
  };
  const visit = async (message: DeadLetter) =>
    redrive.isTooOld(message) ? 'stays' : redrive.move(message, onMoved);
  try {
    await walkDeadLetters(queue, visit, { signal, ratePerSecond: options.rate, unit: 'messages' });
  } finally {
    const to = `ClickQueue of ${connection.stackName}`;
    printLine(`${redrive.verb} ${count(moved, 'message')} from ${name} to ${to}.`);
    if (hidden > 0) printLine(`About ${hidden} were in flight; run this again in a minute.`);
    redrive.report();
  }
}

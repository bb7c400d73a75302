import { setTimeout } from 'node:timers/promises';
import { DeleteMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { identifyClick } from '../../lib/clicks/click.ts';
import { firstSentAttribute } from '../../lib/clicks/records.ts';
import { type Connection, readRetention } from '../connection.ts';
import type { Queue } from '../queue.ts';
import { formatCell, printLine } from '../terminal/print.ts';
import { exitCodes } from '../terminal/program.ts';
import { describeExcessAge } from './age-limit.ts';
import type { DeadLetter, Outcome } from './dead-letters.ts';

/** The queue to move messages from. */
export interface Source {
  queue: Queue;
  name: string;
}

export interface MoveOptions {
  dryRun?: boolean;
  /** The maximum number of messages moved per second. */
  rate?: number;
}

// SQS's limit for a message.
const maxAttributes = 10;
const idWidth = 60;

// Errors that every other message would meet too.
const concernsAll =
  /AccessDenied|NotAuthorized|NonExistentQueue|QueueDoesNotExist|InvalidAddress|Security|Kms(?!Throttled)|OptIn|Credentials|Token|Signature|AccessKey/;

/**
 * Creates a redrive of messages from this queue to ClickQueue. It names those that can't be moved, so
 * that one doesn't stop the others.
 */
export async function createRedrive(
  from: Source,
  connection: Connection,
  { dryRun = false, rate = Number.POSITIVE_INFINITY }: MoveOptions,
  signal: AbortSignal,
) {
  const retention = await readRetention(connection);
  const keepPace = createPace(rate, signal);
  const tooOld: string[] = [];
  const stuck: string[] = [];
  return {
    verb: dryRun ? 'Would move' : 'Moved',
    /** Whether moving this message could count its click twice. Then it's reported with the remark. */
    isTooOld(deadLetter: DeadLetter, remark = ''): boolean {
      const excess = describeExcessAge(deadLetter, retention);
      if (excess !== undefined) tooOld.push(`${nameDeadLetter(deadLetter)}: ${remark}${excess}`);
      return excess !== undefined;
    },
    /**
     * Moves a message to ClickQueue, byte for byte and with its attributes. Calls `onMoved` if it
     * moved, or with `dryRun` would have.
     * @throws the error of a request that fails for every message.
     */
    async move(deadLetter: DeadLetter, onMoved: () => void): Promise<Outcome> {
      if (dryRun) {
        onMoved();
        return 'stays';
      }
      await keepPace();
      if (signal.aborted) return 'stays';
      let isCopied = false;
      try {
        await send(connection.clickQueue, deadLetter);
        // A failure from here on leaves two copies.
        isCopied = true;
        await deleteMessage(from.queue, deadLetter);
      } catch (error) {
        const outcome = isCopied
          ? 'copied to ClickQueue, but not deleted; it counts once'
          : 'not moved';
        const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
        // What every other message would meet, too, is said once, by the command.
        if (isCopied || isItsOwn(error))
          stuck.push(`${nameDeadLetter(deadLetter)}: ${outcome} (${reason})`);
        if (!isItsOwn(error)) throw error;
        return 'stays';
      }
      onMoved();
      return 'gone';
    },
    /** Prints the messages that stay. If SQS rejected any, the command has failed. */
    report() {
      printList(
        tooOld,
        `Skipped ${tooOld.length} too old to move, because a click whose marker has expired would count twice:`,
      );
      if (tooOld.length > 0) printLine('To decide, see docs/runbook.md#too-old-to-move.');
      printList(stuck, `Could not move ${stuck.length}. Remove the cause and run this again:`);
      if (stuck.length > 0) process.exitCode ??= exitCodes.failure;
      if (signal.aborted) printLine(`Stopped before the end; the rest is still in ${from.name}.`);
    },
  };
}

function send({ sqs, url }: Queue, { body, attributes, firstSentMs }: DeadLetter) {
  const MessageAttributes = rememberFirstSent(attributes, firstSentMs);
  return sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: body, MessageAttributes }));
}

export function deleteMessage({ sqs, url }: Queue, { receiptHandle }: DeadLetter) {
  return sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: receiptHandle }));
}

function printList(lines: string[], title: string): void {
  if (lines.length > 0) printLine(title);
  for (const line of lines) printLine(line);
}

/** Whether a request that failed for a message may succeed for others. */
export function isItsOwn(error: unknown): boolean {
  return error instanceof Error && !concernsAll.test(error.name);
}

/** A line's beginning that names a message. Its click's id and code are the sender's text. */
function nameDeadLetter({ messageId, body }: DeadLetter): string {
  const { clickId, code } = identifyClick(body);
  const shown = [clickId, code].map((text) => formatCell(text || '-', idWidth).trimEnd());
  return `  ${messageId} (click ${shown[0]}, link ${shown[1]})`;
}

/** Returns a function that waits until the next message may be moved, or until the abort. */
function createPace(ratePerSecond: number, signal: AbortSignal): () => Promise<void> {
  let nextMs = Date.now();
  return async () => {
    const waitMs = nextMs - Date.now();
    nextMs = Math.max(nextMs, Date.now()) + 1_000 / ratePerSecond;
    if (waitMs > 0) await setTimeout(waitMs, undefined, { signal }).catch(() => undefined);
  };
}

// A full message moves without the note. Then only the click's own time limits its age.
function rememberFirstSent(attributes: DeadLetter['attributes'], firstSentMs: number) {
  const isFull = Object.keys(attributes).length >= maxAttributes;
  if (isFull && !Object.hasOwn(attributes, firstSentAttribute)) return attributes;
  const firstSent = { DataType: 'Number', StringValue: `${firstSentMs}` };
  return { ...attributes, [firstSentAttribute]: firstSent };
}

import {
  ChangeMessageVisibilityBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  type MessageAttributeValue,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import type { Queue } from '../connection.ts';

/** A redriven message is a new one to SQS; this attribute keeps when the click first came. */
export const firstSentAttribute = 'FirstSentTimestamp';

export interface DeadLetter {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: Record<string, MessageAttributeValue>;
  /** Epoch milliseconds when it came to ClickQueue, the last time and the first. */
  sentMs: number;
  firstSentMs: number;
  /** How often SQS has handed it to anyone; this time is not counted. */
  receives: number;
}

export interface WalkOptions {
  signal: AbortSignal;
  /** How many are worked on each second at most. */
  ratePerSecond?: number;
}

export interface Walk {
  seen: number;
  /** About how many the queue had when the walk began; hidden ones are in someone else's hands. */
  expected: { visible: number; hidden: number };
}

// The most that one call to SQS receives or changes.
const batchSize = 10;
const longPollSeconds = 1;
// A long poll asks all servers, but a queue's own count may be behind by some seconds.
const maxEmptyPolls = 4;
const minHideSeconds = 60;
const maxHideSeconds = 43_200;
// Slower than any walk. A message shown again before the end is recognized, and hidden again.
const walkedPerSecond = 50;

/**
 * Shows each dead letter once to `visit`, up to ten at a time, and tells how many there were. One
 * that `visit` does not call gone is back in the queue afterwards, whatever happens; should the
 * process be killed, after a minute or somewhat more for a queue of thousands.
 *
 * What it keeps in memory is an id and a receipt handle of each message that stays: SQS lets at
 * most 120,000 be in hand at once, and the walk ends there.
 */
export async function walkDeadLetters(
  queue: Queue,
  visit: (letter: DeadLetter) => Promise<'stays' | 'gone'>,
  { signal, ratePerSecond = Number.POSITIVE_INFINITY }: WalkOptions,
): Promise<Walk> {
  const expected = await countMessages(queue);
  const hideSeconds = Math.min(
    maxHideSeconds,
    Math.ceil(minHideSeconds + expected.visible / walkedPerSecond + batchSize / ratePerSecond),
  );
  const handles = new Map<string, string>();
  let seen = 0;
  try {
    for await (const letters of receiveUnseen(queue, handles, expected.visible, hideSeconds)) {
      seen += letters.length;
      await visitAll(letters, visit, handles);
      if (signal.aborted) break;
    }
  } finally {
    await showAgain(queue, [...handles]);
  }
  return { seen, expected };
}

/** About how many messages a queue has, and how many more someone has in hand. */
export async function countMessages({ sqs, url }: Queue): Promise<Walk['expected']> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: url,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  return {
    visible: Number(Attributes.ApproximateNumberOfMessages ?? 0),
    hidden: Number(Attributes.ApproximateNumberOfMessagesNotVisible ?? 0),
  };
}

/** Ends once the queue gives no message that is not in `handles` already. */
async function* receiveUnseen(
  queue: Queue,
  handles: Map<string, string>,
  expected: number,
  hideSeconds: number,
): AsyncGenerator<DeadLetter[]> {
  let seen = 0;
  let emptyPolls = 0;
  let repeats = 0;
  // Once as many came again as are held, the walk has been all the way round.
  while (emptyPolls < maxEmptyPolls && repeats <= handles.size) {
    const received = await receive(queue, hideSeconds);
    if (received.length === 0 && seen >= expected) return;
    const unseen = received.filter(({ messageId }) => !handles.has(messageId));
    for (const { messageId, receiptHandle } of received) handles.set(messageId, receiptHandle);
    emptyPolls = received.length === 0 ? emptyPolls + 1 : 0;
    repeats = unseen.length === 0 ? repeats + received.length : 0;
    seen += unseen.length;
    if (unseen.length > 0) yield unseen;
  }
}

async function receive({ sqs, url }: Queue, hideSeconds: number): Promise<DeadLetter[]> {
  try {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: batchSize,
        VisibilityTimeout: hideSeconds,
        WaitTimeSeconds: longPollSeconds,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['SentTimestamp', 'ApproximateReceiveCount'],
      }),
    );
    return Messages.map(toDeadLetter);
  } catch (error) {
    // More are in hand than SQS allows.
    if (error instanceof Error && error.name === 'OverLimit') return [];
    throw error;
  }
}

function toDeadLetter(message: Message): DeadLetter {
  const sentMs = Number(message.Attributes?.SentTimestamp);
  const firstSent = message.MessageAttributes?.[firstSentAttribute]?.StringValue;
  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: message.MessageAttributes ?? {},
    sentMs,
    firstSentMs: firstSent === undefined ? sentMs : Number(firstSent),
    receives: Number(message.Attributes?.ApproximateReceiveCount) - 1,
  };
}

async function visitAll(
  letters: DeadLetter[],
  visit: (letter: DeadLetter) => Promise<'stays' | 'gone'>,
  handles: Map<string, string>,
): Promise<void> {
  const visits = letters.map(async (letter) => {
    if ((await visit(letter)) === 'gone') handles.delete(letter.messageId);
  });
  // The others are finished first, so that no message is let go of while it is worked on.
  for (const result of await Promise.allSettled(visits)) {
    if (result.status === 'rejected') throw result.reason;
  }
}

// What cannot be shown again now is when its time has passed, so nothing depends on the answer.
async function showAgain({ sqs, url }: Queue, handles: [string, string][]): Promise<void> {
  const batches: [string, string][][] = [];
  for (let start = 0; start < handles.length; start += batchSize) {
    batches.push(handles.slice(start, start + batchSize));
  }
  const lanes = Array.from({ length: batchSize }, async () => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) {
      const Entries = batch.map(([, ReceiptHandle], index) => ({
        Id: `${index}`,
        ReceiptHandle,
        VisibilityTimeout: 0,
      }));
      await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries }));
    }
  });
  await Promise.allSettled(lanes);
}

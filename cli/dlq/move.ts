import { setTimeout } from 'node:timers/promises';
import { DeleteMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Queue } from '../queue.ts';
import { type DeadLetter, firstSentAttribute } from './dead-letters.ts';

// SQS's limit for a message.
const maxAttributes = 10;

/**
 * Moves a message to another queue, byte for byte and with its attributes. The message is deleted
 * only after the other queue has accepted it. A click in both queues counts once.
 */
export async function moveMessage(
  { body, attributes, firstSentMs, receiptHandle }: DeadLetter,
  { from, to }: { from: Queue; to: Queue },
): Promise<void> {
  await to.sqs.send(
    new SendMessageCommand({
      QueueUrl: to.url,
      MessageBody: body,
      MessageAttributes: rememberFirstSent(attributes, firstSentMs),
    }),
  );
  await from.sqs.send(
    new DeleteMessageCommand({ QueueUrl: from.url, ReceiptHandle: receiptHandle }),
  );
}

/** Returns a function that waits until the next message may be moved, or until the abort. */
export function createPace(ratePerSecond: number, signal: AbortSignal): () => Promise<void> {
  let nextMs = Date.now();
  return async () => {
    const waitMs = nextMs - Date.now();
    nextMs = Math.max(nextMs, Date.now()) + 1_000 / ratePerSecond;
    if (waitMs > 0) await setTimeout(waitMs, undefined, { signal }).catch(() => undefined);
  };
}

function rememberFirstSent(attributes: DeadLetter['attributes'], firstSentMs: number) {
  const isFull = Object.keys(attributes).length >= maxAttributes;
  if (isFull && !Object.hasOwn(attributes, firstSentAttribute)) return attributes;
  const firstSent = { DataType: 'Number', StringValue: `${firstSentMs}` };
  return { ...attributes, [firstSentAttribute]: firstSent };
}

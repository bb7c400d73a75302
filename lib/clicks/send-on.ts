import type { SQSRecord } from 'aws-lambda';
import { chunk } from '../chunk.ts';
import { traceClient } from '../telemetry/powertools.ts';
import type { FailureReason } from './failure.ts';
import { chooseFirstSent, firstSentAttribute } from './records.ts';

/** For each click, and for the start of the last. Otherwise, SQS could hold up the batch's other messages. */
const timeoutMs = 1_000;
const requestsAtOnce = 10;

/** A click of an envelope, as an event of its own. */
export interface Letter {
  event: unknown;
  reason: FailureReason;
}

export type SendLetters = (record: SQSRecord, letters: Letter[]) => Promise<void>;

/**
 * Creates a function that sends clicks of an envelope to the dead letters, alone, with the reason.
 * Each keeps its envelope's first arrival, so its age limits a redrive as it would have there.
 * Throws if SQS doesn't accept all in time.
 */
export function createLetterSender(queueUrl: string): SendLetters {
  // Few batches need SQS's client, so it's loaded for the first of them.
  const load = async () => {
    const { createQueueSender } = await import('./send-to-queue.ts');
    return createQueueSender(traceClient, timeoutMs);
  };
  let loading: ReturnType<typeof load> | undefined;
  return async ({ attributes, messageAttributes }, letters) => {
    loading ??= load();
    const send = await loading;
    const text = messageAttributes?.[firstSentAttribute]?.stringValue;
    const firstSentMs = chooseFirstSent(text, Number(attributes.SentTimestamp));
    const firstSent = { DataType: 'Number', StringValue: `${firstSentMs}` };
    const sendLetter = ({ event, reason }: Letter) =>
      send(queueUrl, event, {
        [firstSentAttribute]: firstSent,
        Reason: { DataType: 'String', StringValue: reason },
      });
    const deadlineMs = Date.now() + timeoutMs;
    for (const some of chunk(letters, requestsAtOnce)) {
      if (Date.now() > deadlineMs) throw new Error(`SQS took more than ${timeoutMs} ms`);
      await Promise.all(some.map(sendLetter));
    }
  };
}

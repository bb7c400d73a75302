import type { SQSRecord } from 'aws-lambda';
import { AwsClient } from '../aws/aws-client.ts';
import { chunk } from '../chunk.ts';
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
export function createLetterSender(QueueUrl: string): SendLetters {
  // Few batches need the client.
  let sqs: AwsClient | undefined;
  return async ({ attributes, messageAttributes }, letters) => {
    sqs ??= new AwsClient('SQS');
    const client = sqs;
    const text = messageAttributes?.[firstSentAttribute]?.stringValue;
    const firstSentMs = chooseFirstSent(text, Number(attributes.SentTimestamp));
    const firstSent = { DataType: 'Number', StringValue: `${firstSentMs}` };
    const sendLetter = ({ event, reason }: Letter) => {
      const Reason = { DataType: 'String', StringValue: reason };
      const MessageAttributes = { [firstSentAttribute]: firstSent, Reason };
      const input = { QueueUrl, MessageBody: JSON.stringify(event), MessageAttributes };
      return client.send('SendMessage', input, AbortSignal.timeout(timeoutMs));
    };
    const deadlineMs = Date.now() + timeoutMs;
    for (const some of chunk(letters, requestsAtOnce)) {
      if (Date.now() > deadlineMs) throw new Error(`SQS took more than ${timeoutMs} ms`);
      await Promise.all(some.map(sendLetter));
    }
  };
}

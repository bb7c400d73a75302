import type { SQSRecord } from 'aws-lambda';
import pLimit from 'p-limit';
import { AwsClient } from '../aws/aws-client.ts';
import { sendMessage } from '../aws/send-message.ts';
import type { FailureReason } from './failure.ts';
import { chooseFirstSent, firstSentAttribute } from './records.ts';

/** For each dead letter, and for the start of the last. Otherwise, SQS could hold up other messages. */
const timeoutMs = 1_000;
const requestsAtOnce = 50;

/** Clicks of an envelope that failed for one reason. */
export interface DeadLetter {
  /** An envelope with these clicks. */
  body: string;
  reason: FailureReason;
}

export type SendDeadLetters = (record: SQSRecord, deadLetters: DeadLetter[]) => Promise<void>;

/**
 * Creates a function that sends clicks of a message to the dead-letter queue. A dead letter keeps its
 * message's first arrival, so its age limits a redrive as it would have there. Throws if SQS doesn't
 * confirm all of them in time.
 */
export function createDeadLetterSender(QueueUrl: string): SendDeadLetters {
  const limit = pLimit(requestsAtOnce);
  // Few batches need the client.
  let sqs: AwsClient | undefined;
  return async ({ attributes, messageAttributes }, deadLetters) => {
    sqs ??= new AwsClient('SQS');
    const client = sqs;
    const text = messageAttributes?.[firstSentAttribute]?.stringValue;
    const firstSentMs = chooseFirstSent(text, Number(attributes.SentTimestamp));
    const firstSent = { DataType: 'Number', StringValue: `${firstSentMs}` };
    const deadlineMs = Date.now() + timeoutMs;
    const send = ({ body, reason }: DeadLetter) => {
      if (Date.now() > deadlineMs) throw new Error(`SQS took more than ${timeoutMs} ms`);
      const Reason = { DataType: 'String', StringValue: reason };
      const MessageAttributes = { [firstSentAttribute]: firstSent, Reason };
      const input = { QueueUrl, MessageBody: body, MessageAttributes };
      return sendMessage(client, input, AbortSignal.timeout(timeoutMs));
    };
    await limit.map(deadLetters, send);
  };
}

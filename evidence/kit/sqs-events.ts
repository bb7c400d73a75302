import type { SQSEvent } from 'aws-lambda';
import { accountId, region } from '../../local/engines/aws.ts';
import { toSqsEvent } from '../../local/engines/sqs-event.ts';

/** The fields in which one SQS record differs from another. */
export interface Delivery {
  messageId: string;
  body: string;
  /** ApproximateReceiveCount; 1 by default. */
  receiveCount?: number;
  /** Epoch milliseconds; now by default. */
  sentMs?: number;
}

const queueArn = `arn:aws:sqs:${region}:${accountId}:ClickQueue`;

/** Makes a batch as Lambda's event source mapping passes it to a function. */
export function makeSqsEvent(deliveries: readonly Delivery[]): SQSEvent {
  const messages = deliveries.map(({ messageId, body, receiveCount = 1, sentMs = Date.now() }) => ({
    MessageId: messageId,
    ReceiptHandle: `${messageId}-${receiveCount}`,
    Body: body,
    Attributes: {
      ApproximateReceiveCount: String(receiveCount),
      SentTimestamp: String(sentMs),
      SenderId: 'AIDAEXAMPLE',
      ApproximateFirstReceiveTimestamp: String(sentMs),
    },
  }));
  return toSqsEvent(messages, queueArn);
}

/** Makes a batch of messages with the ids `message-0`, `message-1` and so on. */
export function makeBatch(bodies: readonly string[], receiveCount = 1): SQSEvent {
  return makeSqsEvent(
    bodies.map((body, index) => ({ messageId: `message-${index}`, body, receiveCount })),
  );
}

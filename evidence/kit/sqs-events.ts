import type { SQSEvent } from 'aws-lambda';
import { accountId, region } from '../../local/engines/aws.ts';
import { toSqsEvent } from '../../local/engines/sqs-event.ts';

/** What an SQS record says that matters here; the rest is the same in every record. */
export interface Delivery {
  messageId: string;
  body: string;
  /** How often SQS has delivered the message, this time included; 1 by default. */
  receiveCount?: number;
  /** Epoch milliseconds; now by default. */
  sentMs?: number;
}

const queueArn = `arn:aws:sqs:${region}:${accountId}:ClickQueue`;

/** A batch as Lambda's event source mapping hands it to a function. */
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

/** A batch of messages with the ids `message-0`, `message-1` and so on. */
export function makeBatch(bodies: readonly string[], receiveCount = 1): SQSEvent {
  return makeSqsEvent(
    bodies.map((body, index) => ({ messageId: `message-${index}`, body, receiveCount })),
  );
}

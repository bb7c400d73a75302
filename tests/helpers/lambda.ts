import { randomUUID } from 'node:crypto';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { makeContext as makeLambdaContext } from '../../evidence/kit/lambda-context.ts';

/** The context of an invocation that has `timeoutMs` milliseconds from now. */
export const makeContext = (timeoutMs = 5_000): Context => makeLambdaContext(timeoutMs);

/** A batch of messages as Lambda's event source mapping hands them over. */
export function makeBatch(bodies: string[], attempt = 1): SQSEvent {
  return { Records: bodies.map((body, index) => makeRecord(body, `message-${index}`, attempt)) };
}

function makeRecord(body: string, messageId: string, attempt: number): SQSRecord {
  return {
    messageId,
    receiptHandle: randomUUID(),
    body,
    attributes: {
      ApproximateReceiveCount: String(attempt),
      SentTimestamp: '1779789600000',
      SenderId: 'AIDAEXAMPLE',
      ApproximateFirstReceiveTimestamp: '1779789600001',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:ClickQueue',
    awsRegion: 'us-east-1',
  };
}

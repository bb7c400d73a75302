import { randomUUID } from 'node:crypto';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';

/** The context of an invocation that has `timeoutMs` milliseconds from now. */
export function makeContext(timeoutMs = 5_000): Context {
  const endMs = Date.now() + timeoutMs;
  return {
    awsRequestId: randomUUID(),
    functionName: 'aggregate-clicks',
    functionVersion: '$LATEST',
    invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:aggregate-clicks',
    memoryLimitInMB: '512',
    logGroupName: '/aws/lambda/aggregate-clicks',
    logStreamName: 'test',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => endMs - Date.now(),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}

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

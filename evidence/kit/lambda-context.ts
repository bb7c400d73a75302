import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';

/** The context of an invocation that has `timeoutMs` milliseconds from now. */
export function makeContext(timeoutMs: number): Context {
  const endMs = Date.now() + timeoutMs;
  return {
    awsRequestId: randomUUID(),
    functionName: 'aggregate-clicks',
    functionVersion: '$LATEST',
    invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:aggregate-clicks',
    memoryLimitInMB: '512',
    logGroupName: '/aws/lambda/aggregate-clicks',
    logStreamName: 'compare',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => endMs - Date.now(),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}

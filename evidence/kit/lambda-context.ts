import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';

/** Makes the context of an invocation that times out `timeoutMs` milliseconds from now. */
export function makeContext(
  timeoutMs = 5_000,
  awsRequestId: string = randomUUID(),
  now: () => number = Date.now,
): Context {
  const endMs = now() + timeoutMs;
  return {
    awsRequestId,
    functionName: 'click-tally',
    functionVersion: '$LATEST',
    invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:click-tally',
    memoryLimitInMB: '512',
    logGroupName: '/aws/lambda/click-tally',
    logStreamName: awsRequestId,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => endMs - now(),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}

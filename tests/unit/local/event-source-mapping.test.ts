import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { countMessages, sendMessages } from '../../../cli/queue.ts';
import { queueUrl, startQueueServer } from '../../../local/engines/queue-server.ts';
import { startEventSourceMappings } from '../../../local/stack/event-source-mapping.ts';
import { createQueues } from '../../../local/stack/queues.ts';

const wait = { timeout: 20_000, interval: 20 };
const allDone = '{"batchItemFailures":[]}';
const resources = {
  Aggregate: {
    ref: 'aggregate',
    attributes: { Arn: 'arn:aws:lambda:us-east-1:000000000000:function:aggregate' },
  },
};

let cleanup: AsyncDisposableStack;
let sqs: SQSClient;
let endpoint: string;
const streams = new DynamoDBStreamsClient(localClientConfig('http://127.0.0.1:1'));
let invoke: ReturnType<typeof vi.fn<(name: string, event: SQSEvent) => Promise<string>>>;
let onError: ReturnType<typeof vi.fn<(error: Error) => void>>;

beforeEach(async () => {
  cleanup = new AsyncDisposableStack();
  const server = await startQueueServer();
  cleanup.defer(server.stop);
  endpoint = server.url;
  sqs = new SQSClient(localClientConfig(endpoint));
  invoke = vi.fn(async () => allDone);
  onError = vi.fn();
});

afterEach(() => cleanup.disposeAsync());

/** Creates a queue with a dead-letter queue, and returns a function that starts its mapping. */
async function createQueue() {
  const redrive = {
    deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] },
    maxReceiveCount: 2,
  };
  const mapping = {
    EventSourceArn: { 'Fn::GetAtt': ['Clicks', 'Arn'] },
    FunctionName: { 'Fn::GetAtt': ['Aggregate', 'Arn'] },
    BatchSize: 10,
    MaximumBatchingWindowInSeconds: 0,
    ScalingConfig: { MaximumConcurrency: 1 },
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  };
  const template = {
    Resources: {
      Clicks: {
        Type: 'AWS::SQS::Queue',
        Properties: { VisibilityTimeout: 1, RedrivePolicy: redrive },
      },
      Dead: { Type: 'AWS::SQS::Queue', Properties: {} },
      Mapping: { Type: 'AWS::Lambda::EventSourceMapping', Properties: mapping },
    },
  };
  const queues = await createQueues(sqs, endpoint, template);
  return async () => {
    const all = { ...queues, ...resources };
    const options = { template, resources: all, sqs, streams, invoke, onError };
    cleanup.defer((await startEventSourceMappings(options)).stop);
  };
}

const queueOf = (name: string) => ({ sqs, url: queueUrl(endpoint, name) });
const send = (...bodies: string[]) => sendMessages(queueOf('Clicks'), bodies);

async function count(name: string): Promise<number> {
  const { visible, hidden } = await countMessages(queueOf(name));
  return visible + hidden;
}

/** Returns the bodies of each batch that the function received. */
function batches(): string[][] {
  return invoke.mock.calls.map(([, { Records }]) => Records.map(({ body }) => body));
}

test('the whole batch is retried if the function fails, and the error is reported', async () => {
  const start = await createQueue();
  invoke.mockRejectedValueOnce(new Error('out of memory'));
  await send('a', 'b');

  await start();

  await expect.poll(() => count('Clicks'), wait).toBe(0);
  // On a busy machine, they come back one after the other.
  const [first, ...retried] = batches();
  expect(first).toEqual(['a', 'b']);
  expect(retried.flat().toSorted()).toEqual(['a', 'b']);
  expect(await count('Dead')).toBe(0);
  expect(onError.mock.calls.map(([{ message }]) => message)).toEqual([
    expect.stringContaining('out of memory'),
  ]);
});

test('a batch has at most ten messages without a batching window', async () => {
  const start = await createQueue();
  await send(...Array.from({ length: 25 }, (_, index) => `${index}`));

  await start();

  await expect.poll(() => count('Clicks'), wait).toBe(0);
  expect(Math.max(...batches().map(({ length }) => length))).toBe(10);
});

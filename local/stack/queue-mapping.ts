import { availableParallelism } from 'node:os';
import type { Message } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import type { Stoppable } from '../../cli/loopback/stoppable.ts';
import { deleteMessages, type Queue, receiveMessages, sqsBatchSize } from '../../cli/queue.ts';
import { findFailedIds } from '../engines/batch-response.ts';
import { toSqsEvent } from '../engines/sqs-event.ts';
import type { ResourceProperties } from '../engines/template.ts';
import { startConsumers } from './consumers.ts';

const longPollSeconds = 1;

const allAttributes: 'All'[] = ['All'];

type MappingProperties = ResourceProperties['AWS::Lambda::EventSourceMapping'];

interface QueueMappingOptions {
  mapping: MappingProperties;
  queue: Queue;
  queueArn: string;
  /** Returns the function's response. Throws if the invocation failed. */
  invoke(event: SQSEvent): Promise<string>;
  onError(error: Error): void;
}

/**
 * Stands in for Lambda's event source mapping of a queue: polls it, gathers a batch, invokes the
 * function, and deletes the messages that it doesn't report as failed. Redelivery and
 * dead-lettering are left to SQS.
 */
export function startQueueMapping(options: QueueMappingOptions): Stoppable {
  const { mapping, queue, onError } = options;
  // One consumer for each concurrent batch. More than the processors wouldn't be faster.
  const most = mapping.ScalingConfig?.MaximumConcurrency ?? Infinity;
  const concurrency = Math.min(most, availableParallelism());
  const consumer = {
    queueUrl: queue.url,
    sqs: queue.sqs,
    batchSize: Math.min(mapping.BatchSize, sqsBatchSize),
    waitTimeSeconds: longPollSeconds,
    messageAttributeNames: allAttributes,
    messageSystemAttributeNames: allAttributes,
    handleMessageBatch: createBatchHandler(options),
  };
  return startConsumers(
    Array.from({ length: concurrency }, () => consumer),
    onError,
  );
}

function createBatchHandler({ mapping, queue, queueArn, invoke }: QueueMappingOptions) {
  const reportsFailures = mapping.FunctionResponseTypes?.includes('ReportBatchItemFailures');
  return async (received: Message[]) => {
    const messages = await gatherBatch(received, mapping, queue);
    const response = await invoke(toSqsEvent(messages, queueArn));
    const ids = messages.map(({ MessageId }) => MessageId ?? '');
    const failed = reportsFailures ? findFailedIds(response, ids) : new Set<string>();
    const done = messages.filter(({ MessageId }) => !failed.has(MessageId ?? ''));
    await deleteMessages(queue, done);
    // The consumer would delete at most ten messages, so it doesn't get any to delete.
    return undefined;
  };
}

/** Adds the messages that arrive within the batching window, up to the batch size. */
async function gatherBatch(
  received: Message[],
  { BatchSize, MaximumBatchingWindowInSeconds: windowSeconds }: MappingProperties,
  queue: Queue,
): Promise<Message[]> {
  const batch = [...received];
  const deadlineMs = Date.now() + windowSeconds * 1000;
  while (batch.length < BatchSize && Date.now() < deadlineMs) {
    const more = await receiveMessages(queue, {
      MaxNumberOfMessages: Math.min(BatchSize - batch.length, sqsBatchSize),
      WaitTimeSeconds: longPollSeconds,
    });
    batch.push(...more);
  }
  return batch;
}

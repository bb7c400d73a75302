import { availableParallelism } from 'node:os';
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import { Consumer } from 'sqs-consumer';
import { type Queue, sqsBatchSize } from '../../cli/queue.ts';
import type { Stoppable } from '../../loopback/stoppable.ts';
import { findFailedIds } from '../engines/batch-response.ts';
import { toSqsEvent } from '../engines/sqs-event.ts';
import {
  findByArn,
  findResources,
  type PhysicalResources,
  resolveIntrinsics,
  type Template,
} from '../engines/template.ts';
import { type FunctionMapping, startStreamMapping } from './stream-mapping.ts';

const longPollSeconds = 1;
const allAttributes: 'All'[] = ['All'];

interface MappingOptions {
  template: Template;
  resources: PhysicalResources;
  sqs: SQSClient;
  streams: DynamoDBStreamsClient;
  /** Returns the function's response. Throws if the invocation failed. */
  invoke(functionName: string, event: object): Promise<string>;
  onError(error: Error): void;
}

/** Starts the template's event source mappings, which `cleanup` stops. */
export async function startEventSourceMappings(
  { template, resources, sqs, streams, onError, ...options }: MappingOptions,
  cleanup: AsyncDisposableStack,
): Promise<void> {
  const mappings = findResources(template, 'AWS::Lambda::EventSourceMapping');
  for (const mapping of Object.values(mappings)) {
    const arn = resolveIntrinsics(mapping.EventSourceArn, resources);
    const functionName = resolveIntrinsics(mapping.FunctionName, resources).split(':').at(-1) ?? '';
    const invoke = (event: object) => options.invoke(functionName, event);
    const common: FunctionMapping = { mapping, invoke, onError };
    const started = arn.startsWith('arn:aws:dynamodb:')
      ? await startStreamMapping({ ...common, streams, streamArn: arn })
      : startQueueMapping({ sqs, url: findByArn(resources, arn).ref }, arn, common);
    cleanup.defer(started.stop);
  }
}

/**
 * Stands in for Lambda's event source mapping of a queue: polls it, invokes the function with up to
 * ten messages at once, and deletes those that it doesn't report as failed. Redelivery and
 * dead-lettering are left to SQS.
 */
function startQueueMapping(
  queue: Queue,
  arn: string,
  { mapping, invoke, onError }: FunctionMapping,
): Stoppable {
  const reportsFailures = mapping.FunctionResponseTypes?.includes('ReportBatchItemFailures');
  // The consumer deletes the messages that this returns.
  const handleMessageBatch = async (messages: Message[]) => {
    const response = await invoke(toSqsEvent(messages, arn));
    const ids = messages.map(({ MessageId }) => MessageId ?? '');
    const failed = reportsFailures ? findFailedIds(response, ids) : new Set<string>();
    return messages.filter(({ MessageId }) => !failed.has(MessageId ?? ''));
  };
  const options = {
    queueUrl: queue.url,
    sqs: queue.sqs,
    handleMessageBatch,
    batchSize: Math.min(mapping.BatchSize, sqsBatchSize),
    waitTimeSeconds: longPollSeconds,
    messageAttributeNames: allAttributes,
    messageSystemAttributeNames: allAttributes,
  };
  // One consumer for each concurrent batch. More than the processors wouldn't be faster.
  const most = mapping.ScalingConfig?.MaximumConcurrency ?? Infinity;
  const length = Math.min(most, availableParallelism());
  const consumers = Array.from({ length }, () => Consumer.create(options));
  for (const consumer of consumers) {
    consumer.on('error', (error) => {
      if (consumer.status.isRunning) onError(error);
    });
    consumer.start();
  }
  const stop = async () => {
    for (const consumer of consumers) consumer.stop({ abort: true });
  };
  return { stop };
}

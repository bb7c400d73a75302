import { availableParallelism } from 'node:os';
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import { Consumer } from 'sqs-consumer';
import type { Stoppable } from '../../cli/loopback/stoppable.ts';
import { type Queue, sqsBatchSize } from '../../cli/queue.ts';
import { findFailedIds } from '../engines/batch-response.ts';
import { toSqsEvent } from '../engines/sqs-event.ts';
import {
  findByArn,
  findResources,
  type PhysicalResources,
  type ResourceProperties,
  resolveIntrinsics,
  type Template,
} from '../engines/template.ts';
import { startStreamMapping } from './stream-mapping.ts';

const longPollSeconds = 1;
const allAttributes: 'All'[] = ['All'];

type Mapping = ResourceProperties['AWS::Lambda::EventSourceMapping'];

interface MappingOptions {
  template: Template;
  resources: PhysicalResources;
  sqs: SQSClient;
  streams: DynamoDBStreamsClient;
  /** Returns the function's response. Throws if the invocation failed. */
  invoke(functionName: string, event: object): Promise<string>;
  onError(error: Error): void;
}

export async function startEventSourceMappings(options: MappingOptions): Promise<Stoppable> {
  await using cleanup = new AsyncDisposableStack();
  const mappings = findResources(options.template, 'AWS::Lambda::EventSourceMapping');
  for (const mapping of Object.values(mappings)) {
    cleanup.defer((await startMapping(mapping, options)).stop);
  }
  const started = cleanup.move();
  return { stop: () => started.disposeAsync() };
}

async function startMapping(
  mapping: Mapping,
  { resources, sqs, streams, onError, ...options }: MappingOptions,
): Promise<Stoppable> {
  const arn = resolveIntrinsics(mapping.EventSourceArn, resources);
  const functionName = resolveIntrinsics(mapping.FunctionName, resources).split(':').at(-1) ?? '';
  const invoke = (event: object) => options.invoke(functionName, event);
  if (arn.startsWith('arn:aws:dynamodb:')) {
    return startStreamMapping({ mapping, streams, streamArn: arn, invoke, onError });
  }
  const queue = { sqs, url: findByArn(resources, arn).ref };
  return startQueueMapping(mapping, queue, onError, (messages) =>
    invoke(toSqsEvent(messages, arn)),
  );
}

/**
 * Stands in for Lambda's event source mapping of a queue: polls it, invokes the function with up to
 * ten messages at once, and deletes those that it doesn't report as failed. Redelivery and
 * dead-lettering are left to SQS.
 */
function startQueueMapping(
  mapping: Mapping,
  queue: Queue,
  onError: MappingOptions['onError'],
  invoke: (messages: Message[]) => Promise<string>,
): Stoppable {
  const reportsFailures = mapping.FunctionResponseTypes?.includes('ReportBatchItemFailures');
  // The consumer deletes the messages that this returns.
  const handleMessageBatch = async (messages: Message[]) => {
    const response = await invoke(messages);
    const ids = messages.map(({ MessageId }) => MessageId ?? '');
    const failed = reportsFailures ? findFailedIds(response, ids) : new Set<string>();
    return messages.filter(({ MessageId }) => !failed.has(MessageId ?? ''));
  };
  const options = {
    ...{ queueUrl: queue.url, sqs: queue.sqs, handleMessageBatch },
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

import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Stoppable } from '../../cli/loopback/stoppable.ts';
import {
  findResources,
  type PhysicalResources,
  type ResourceProperties,
  resolveString,
  type Template,
} from '../engines/template.ts';
import { startQueueMapping } from './queue-mapping.ts';
import { startStreamMapping } from './stream-mapping.ts';

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
  mapping: ResourceProperties['AWS::Lambda::EventSourceMapping'],
  { resources, sqs, streams, onError, ...options }: MappingOptions,
): Promise<Stoppable> {
  const arn = resolveString(mapping.EventSourceArn, resources);
  const functionName = resolveString(mapping.FunctionName, resources).split(':').at(-1) ?? '';
  const invoke = (event: object) => options.invoke(functionName, event);
  const service = arn.split(':')[2];
  if (service === 'dynamodb') {
    return startStreamMapping({ mapping, streams, streamArn: arn, invoke, onError });
  }
  if (service !== 'sqs') throw new Error(`The local stack cannot poll ${arn}.`);
  const queue = { sqs, url: findByArn(arn, resources) };
  return startQueueMapping({ mapping, queue, queueArn: arn, invoke, onError });
}

function findByArn(arn: string, resources: PhysicalResources): string {
  const found = Object.values(resources).find(({ attributes }) => attributes?.Arn === arn);
  if (!found) throw new Error(`The local stack does not have the queue ${arn}.`);
  return found.ref;
}

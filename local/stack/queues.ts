import {
  CreateQueueCommand,
  type QueueAttributeName,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { accountId, region } from '../engines/aws.ts';
import type { RunningServer } from '../engines/http-server.ts';
import { loopback } from '../engines/ports.ts';
import {
  findResources,
  type PhysicalResources,
  type ResourceProperties,
  resolveText,
  type Template,
} from '../engines/template.ts';

/** Starts SQS and SNS, in this process and in memory, on a free port of this machine. */
export async function startQueueServer(): Promise<RunningServer> {
  const app = buildApp({ logger: false, defaultRegion: region });
  const url = await app.listen({ port: 0, host: loopback });
  return { url, stop: async () => void (await app.close()) };
}

/** Where a queue of the local stack is, known before it exists. */
export function queueUrl(endpoint: string, name: string): string {
  return `${endpoint}/${accountId}/${name}`;
}

/**
 * Creates the template's queues, each named by its logical id, with their visibility timeout,
 * retention and redrive policy.
 */
export async function createQueues(
  client: SQSClient,
  endpoint: string,
  template: Template,
): Promise<PhysicalResources> {
  const queues = Object.entries(findResources(template, 'AWS::SQS::Queue'));
  const resources = Object.fromEntries(
    queues.map(([id]) => [
      id,
      {
        ref: queueUrl(endpoint, id),
        attributes: { Arn: `arn:aws:sqs:${region}:${accountId}:${id}`, QueueName: id },
      },
    ]),
  );
  for (const [id, properties] of queues) {
    const Attributes = plainAttributes(properties);
    await client.send(new CreateQueueCommand({ QueueName: id, Attributes }));
  }
  // A redrive policy can only name a queue that exists.
  for (const [id, { RedrivePolicy }] of queues) {
    if (!RedrivePolicy) continue;
    const deadLetterTargetArn = resolveText(RedrivePolicy.deadLetterTargetArn, resources);
    const policy = { deadLetterTargetArn, maxReceiveCount: RedrivePolicy.maxReceiveCount };
    await client.send(
      new SetQueueAttributesCommand({
        QueueUrl: queueUrl(endpoint, id),
        Attributes: { RedrivePolicy: JSON.stringify(policy) },
      }),
    );
  }
  return resources;
}

function plainAttributes(
  properties: ResourceProperties['AWS::SQS::Queue'],
): Partial<Record<QueueAttributeName, string>> {
  const { VisibilityTimeout, MessageRetentionPeriod } = properties;
  const numbers = Object.entries({ VisibilityTimeout, MessageRetentionPeriod });
  return Object.fromEntries(
    numbers.flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])),
  );
}

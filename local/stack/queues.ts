import {
  CreateQueueCommand,
  type QueueAttributeName,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { accountId, region } from '../../cli/local-aws.ts';
import { queueUrl } from '../engines/queue-server.ts';
import {
  findResources,
  type PhysicalResource,
  type PhysicalResources,
  type ResourceProperties,
  resolveString,
  type Template,
} from '../engines/template.ts';

type QueueProperties = ResourceProperties['AWS::SQS::Queue'];

/**
 * Creates the template's queues with their visibility timeout, retention and redrive policy. A queue
 * without a `QueueName` is named by its logical id.
 */
export async function createQueues(
  client: SQSClient,
  endpoint: string,
  template: Template,
): Promise<PhysicalResources> {
  const queues = Object.entries(findResources(template, 'AWS::SQS::Queue'));
  const resources: PhysicalResources = {};
  for (const [id, properties] of queues) {
    // In the template, a queue comes before the queues whose names refer to it.
    const QueueName = resolveString(properties.QueueName ?? id, resources);
    resources[id] = describeQueue(endpoint, QueueName);
    const Attributes = toAttributes(properties);
    await client.send(new CreateQueueCommand({ QueueName, Attributes }));
  }
  // A redrive policy can only name a queue that exists.
  for (const [id, { RedrivePolicy }] of queues) {
    if (!RedrivePolicy) continue;
    const deadLetterTargetArn = resolveString(RedrivePolicy.deadLetterTargetArn, resources);
    const policy = { deadLetterTargetArn, maxReceiveCount: RedrivePolicy.maxReceiveCount };
    await client.send(
      new SetQueueAttributesCommand({
        QueueUrl: resolveString({ Ref: id }, resources),
        Attributes: { RedrivePolicy: JSON.stringify(policy) },
      }),
    );
  }
  return resources;
}

function describeQueue(endpoint: string, name: string): PhysicalResource {
  const Arn = `arn:aws:sqs:${region}:${accountId}:${name}`;
  return { ref: queueUrl(endpoint, name), attributes: { Arn, QueueName: name } };
}

function toAttributes(properties: QueueProperties): Partial<Record<QueueAttributeName, string>> {
  const { VisibilityTimeout, MessageRetentionPeriod } = properties;
  const numbers = Object.entries({ VisibilityTimeout, MessageRetentionPeriod });
  return Object.fromEntries(
    numbers.flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])),
  );
}

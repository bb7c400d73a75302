import { CreateQueueCommand, SetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { accountId, region } from '../../loopback/local-aws.ts';
import { queueUrl } from '../engines/queue-server.ts';
import {
  findResources,
  type PhysicalResources,
  resolveIntrinsics,
  type Template,
} from '../engines/template.ts';

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
  for (const [id, { QueueName: given = id, ...properties }] of queues) {
    // In the template, a queue comes before the queues whose names refer to it.
    const QueueName = resolveIntrinsics(given, resources);
    const Arn = `arn:aws:sqs:${region}:${accountId}:${QueueName}`;
    resources[id] = { ref: queueUrl(endpoint, QueueName), attributes: { Arn, QueueName } };
    const Attributes = {
      VisibilityTimeout: properties.VisibilityTimeout?.toString(),
      MessageRetentionPeriod: properties.MessageRetentionPeriod?.toString(),
    };
    await client.send(new CreateQueueCommand({ QueueName, Attributes }));
  }
  // A redrive policy can only name a queue that exists.
  for (const [id, { RedrivePolicy }] of queues) {
    if (!RedrivePolicy) continue;
    const policy = JSON.stringify(resolveIntrinsics(RedrivePolicy, resources));
    const update = { QueueUrl: resources[id]?.ref, Attributes: { RedrivePolicy: policy } };
    await client.send(new SetQueueAttributesCommand(update));
  }
  return resources;
}

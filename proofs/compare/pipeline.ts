import {
  CreateTopicCommand,
  PublishCommand,
  type SNSClient,
  SubscribeCommand,
} from '@aws-sdk/client-sns';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteQueueCommand,
  type SQSClient,
  type Message as SqsMessage,
} from '@aws-sdk/client-sqs';
import { accountId, region } from '../../cli/local-aws.ts';
import {
  countMessages,
  deleteMessages,
  receiveAll,
  receiveMessages,
  sendMessages,
} from '../../cli/queue.ts';
import type { PackagedService } from '../../fixtures/packaged-service.ts';
import type { PlannedMessage } from './plan.ts';

export type Pipeline = Awaited<ReturnType<typeof createPipeline>>;

/**
 * Creates a cell's resources between the bus and the function, on the local SQS and SNS: a queue, its
 * dead-letter queue and, for FIFO, a topic.
 */
export async function createPipeline(
  { sqs, sns }: { sqs: SQSClient; sns: SNSClient },
  name: string,
  { isFifo, service }: { isFifo: boolean; service: PackagedService },
) {
  const suffix = isFifo ? '.fifo' : '';
  const arnOf = (queue: string) => `arn:aws:sqs:${region}:${accountId}:${queue}`;
  const fifoAttributes = isFifo ? { FifoQueue: 'true', ContentBasedDeduplication: 'true' } : {};
  const create = async (QueueName: string, attributes = {}) => {
    const Attributes = { ...fifoAttributes, ...attributes };
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
    return { sqs, url: QueueUrl };
  };
  const deadLetterTargetArn = arnOf(`${name}-dlq${suffix}`);
  const deadLetterQueue = await create(`${name}-dlq${suffix}`);
  const queue = await create(`${name}${suffix}`, {
    VisibilityTimeout: `${service.visibilityTimeoutSeconds}`,
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn,
      maxReceiveCount: service.maxReceiveCount,
    }),
  });
  const queueArn = arnOf(`${name}${suffix}`);
  const publish = isFifo
    ? await createTopic(sns, name, queueArn)
    : (messages: PlannedMessage[]) =>
        sendMessages(
          queue,
          messages.map(({ body }) => body),
        );

  return {
    queueArn,
    publish,
    receive: () => receiveMessages(queue, { MaxNumberOfMessages: service.batchSize }),
    delete: (messages: SqsMessage[]) => deleteMessages(queue, messages),
    hide: async ({ ReceiptHandle }: SqsMessage, VisibilityTimeout: number) => {
      const input = { QueueUrl: queue.url, ReceiptHandle, VisibilityTimeout };
      await sqs.send(new ChangeMessageVisibilityCommand(input));
    },
    isEmpty: async () => {
      const { visible, hidden } = await countMessages(queue);
      return visible + hidden === 0;
    },
    /** The bodies of the dead letters. */
    readDeadLetters: async () => {
      const bodies: string[] = [];
      for await (const messages of receiveAll(deadLetterQueue)) {
        bodies.push(...messages.map(({ Body = '' }) => Body));
        // A FIFO queue delivers a group's next message only after this one is deleted.
        await deleteMessages(deadLetterQueue, messages);
      }
      return bodies;
    },
    remove: async () => {
      await sqs.send(new DeleteQueueCommand({ QueueUrl: queue.url }));
      await sqs.send(new DeleteQueueCommand({ QueueUrl: deadLetterQueue.url }));
    },
  };
}

async function createTopic(sns: SNSClient, name: string, queueArn: string) {
  const { TopicArn } = await sns.send(
    new CreateTopicCommand({
      Name: `${name}.fifo`,
      Attributes: { FifoTopic: 'true', ContentBasedDeduplication: 'true' },
    }),
  );
  const Attributes = { RawMessageDelivery: 'true' };
  await sns.send(
    new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint: queueArn, Attributes }),
  );
  // Clicks don't need an order, so each has its own message group and doesn't wait for others.
  return async (messages: PlannedMessage[]) => {
    for (const { body, click } of messages) {
      const MessageGroupId = click?.clickId ?? 'malformed';
      await sns.send(new PublishCommand({ TopicArn, Message: body, MessageGroupId }));
    }
  };
}

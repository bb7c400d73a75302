import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteQueueCommand,
  SendMessageCommand,
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

/** Creates a cell's resources between the bus and the function: a queue and its dead-letter queue. */
export async function createPipeline(
  sqs: SQSClient,
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
  const publish = async (messages: PlannedMessage[]) => {
    if (!isFifo) {
      const bodies = messages.map(({ body }) => body);
      return sendMessages(queue, bodies);
    }
    // Clicks don't need an order, so each has its own message group and doesn't wait for others.
    for (const { body: MessageBody, click } of messages) {
      const MessageGroupId = click?.clickId ?? 'malformed';
      const input = { QueueUrl: queue.url, MessageBody, MessageGroupId };
      await sqs.send(new SendMessageCommand(input));
    }
  };

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

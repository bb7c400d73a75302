import {
  CreateTopicCommand,
  PublishCommand,
  SNSClient,
  SubscribeCommand,
} from '@aws-sdk/client-sns';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
  type Message as SqsMessage,
} from '@aws-sdk/client-sqs';
import { accountId, localClientConfig, region } from '../../local/engines/aws.ts';
import type { PackagedService } from '../kit/packaged-service.ts';
import type { PlannedMessage } from './plan.ts';

const maxEntries = 10;

/** The way from the bus to the function: a queue, its dead-letter queue, and for FIFO a topic. */
export interface Pipeline {
  queueArn: string;
  publish(messages: PlannedMessage[]): Promise<void>;
  receive(): Promise<SqsMessage[]>;
  delete(messages: SqsMessage[]): Promise<void>;
  hide(message: SqsMessage, seconds: number): Promise<void>;
  isEmpty(): Promise<boolean>;
  /** The bodies of the dead letters. */
  readDeadLetters(): Promise<string[]>;
  remove(): Promise<void>;
}

export interface PipelineClients {
  sqs: SQSClient;
  sns: SNSClient;
}

/** Creates clients for the local SQS and SNS. */
export function createPipelineClients(endpoint: string): PipelineClients {
  const config = localClientConfig(endpoint);
  return { sqs: new SQSClient(config), sns: new SNSClient(config) };
}

/** Creates the queues of one cell on the local SQS and SNS. */
export async function createPipeline(
  { sqs, sns }: PipelineClients,
  name: string,
  { isFifo, service }: { isFifo: boolean; service: PackagedService },
): Promise<Pipeline> {
  const suffix = isFifo ? '.fifo' : '';
  const arnOf = (queue: string) => `arn:aws:sqs:${region}:${accountId}:${queue}`;
  const fifoAttributes = isFifo ? { FifoQueue: 'true', ContentBasedDeduplication: 'true' } : {};
  const create = async (QueueName: string, attributes = {}) => {
    const Attributes = { ...fifoAttributes, ...attributes };
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
    return QueueUrl;
  };
  const deadLetterTargetArn = arnOf(`${name}-dlq${suffix}`);
  const deadUrl = await create(`${name}-dlq${suffix}`);
  const QueueUrl = await create(`${name}${suffix}`, {
    VisibilityTimeout: `${service.visibilityTimeoutSeconds}`,
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn,
      maxReceiveCount: service.maxReceiveCount,
    }),
  });
  const queueArn = arnOf(`${name}${suffix}`);
  const publish = isFifo
    ? await createTopic(sns, name, queueArn)
    : (messages: PlannedMessage[]) => sendAll(sqs, QueueUrl, messages);

  return {
    queueArn,
    publish,
    receive: () => receiveFrom(sqs, QueueUrl, service.batchSize),
    delete: (messages) => deleteAll(sqs, QueueUrl, messages),
    hide: async ({ ReceiptHandle }, VisibilityTimeout) => {
      const input = { QueueUrl, ReceiptHandle, VisibilityTimeout };
      await sqs.send(new ChangeMessageVisibilityCommand(input));
    },
    isEmpty: async () => {
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
      );
      const { ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible } = Attributes;
      return ApproximateNumberOfMessages === '0' && ApproximateNumberOfMessagesNotVisible === '0';
    },
    readDeadLetters: async () => {
      const bodies: string[] = [];
      for (;;) {
        const messages = await receiveFrom(sqs, deadUrl, maxEntries);
        if (messages.length === 0) return bodies;
        bodies.push(...messages.map(({ Body = '' }) => Body));
        // A FIFO queue delivers the next message of a group only after this one is deleted.
        await deleteAll(sqs, deadUrl, messages);
      }
    },
    remove: async () => {
      await sqs.send(new DeleteQueueCommand({ QueueUrl }));
      await sqs.send(new DeleteQueueCommand({ QueueUrl: deadUrl }));
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
  // Clicks need no order, so each is a message group of its own and waits for no other.
  return async (messages: PlannedMessage[]) => {
    for (const { body, click } of messages) {
      const MessageGroupId = click?.clickId ?? 'malformed';
      await sns.send(new PublishCommand({ TopicArn, Message: body, MessageGroupId }));
    }
  };
}

async function sendAll(
  sqs: SQSClient,
  QueueUrl: string | undefined,
  messages: PlannedMessage[],
): Promise<void> {
  for (let start = 0; start < messages.length; start += maxEntries) {
    const Entries = messages
      .slice(start, start + maxEntries)
      .map(({ body }, index) => ({ Id: `${index}`, MessageBody: body }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  }
}

async function deleteAll(
  sqs: SQSClient,
  QueueUrl: string | undefined,
  messages: SqsMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle }));
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
}

async function receiveFrom(
  sqs: SQSClient,
  QueueUrl: string | undefined,
  MaxNumberOfMessages: number,
): Promise<SqsMessage[]> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages,
      MessageSystemAttributeNames: ['All'],
    }),
  );
  return Messages;
}

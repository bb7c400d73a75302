import { type MessageAttributeValue, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

/**
 * Creates a function that sends a message to the queue with this URL. It throws if SQS doesn't accept
 * it in time. This file imports only the SDK: the bundler would move a module that resolve-link's other
 * code imports too into a third file, which every start would load.
 */
export function createQueueSender(
  traceClient: (client: SQSClient) => SQSClient,
  timeoutMs: number,
) {
  const client = traceClient(new SQSClient());
  return async (
    QueueUrl: string,
    message: unknown,
    MessageAttributes?: Record<string, MessageAttributeValue>,
  ): Promise<void> => {
    const MessageBody = JSON.stringify(message);
    const command = new SendMessageCommand({ QueueUrl, MessageBody, MessageAttributes });
    await client.send(command, { abortSignal: AbortSignal.timeout(timeoutMs) });
  };
}

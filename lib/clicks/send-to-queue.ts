import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

/**
 * Creates a function that sends a message to the queue with this URL. It throws if SQS doesn't accept
 * it in time. A module that this file shared with resolve-link's other code would be in a third file,
 * which each start would load, so this one imports only the SDK.
 */
export function createQueueSender(
  traceClient: (client: SQSClient) => SQSClient,
  timeoutMs: number,
) {
  const client = traceClient(new SQSClient());
  return async (QueueUrl: string, message: object): Promise<void> => {
    const MessageBody = JSON.stringify(message);
    const abortSignal = AbortSignal.timeout(timeoutMs);
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody }), { abortSignal });
  };
}

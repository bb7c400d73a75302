import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { traceClient } from '../telemetry/powertools.ts';
import { publishTimeoutMs } from './click-event.ts';
import { clickQueueUrl } from './click-queue-url.ts';

const queues = traceClient(new SQSClient());

/** Sends an event to the ClickQueue with this number, from 0. Throws if SQS doesn't accept it in time. */
export async function sendToQueue(firstUrl: string, queue: number, event: object): Promise<void> {
  const message = new SendMessageCommand({
    QueueUrl: clickQueueUrl(firstUrl, queue),
    MessageBody: JSON.stringify(event),
  });
  await queues.send(message, { abortSignal: AbortSignal.timeout(publishTimeoutMs) });
}

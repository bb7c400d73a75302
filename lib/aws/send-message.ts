import { hash } from 'node:crypto';
import type { SendMessageCommandInput, SendMessageCommandOutput } from '@aws-sdk/client-sqs';
import type { AwsClient } from './aws-client.ts';

/**
 * Sends a message. Throws unless the response proves that SQS stored it: something between here and SQS
 * can respond 200, too.
 */
export async function sendMessage(
  sqs: AwsClient,
  input: SendMessageCommandInput & { MessageBody: string },
  abortSignal: AbortSignal,
): Promise<void> {
  const response = await sqs.send<SendMessageCommandOutput>('SendMessage', input, abortSignal);
  const { MessageId, MD5OfMessageBody } = response;
  const expected = hash('md5', input.MessageBody);
  if (MessageId && MD5OfMessageBody === expected) return;
  throw new Error(
    `expected SQS to return a MessageId and the MD5 ${expected}; got ${MessageId} and ${MD5OfMessageBody}`,
  );
}

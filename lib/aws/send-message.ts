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

/**
 * Writes JSON for SQS and EventBridge. SQS rejects U+FFFE and U+FFFF, which JSON may contain, so every
 * character beyond ASCII is escaped. Each character of the result is one byte.
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
export function toAsciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\u0080-\uffff]/g, escapeCodeUnit);
}

function escapeCodeUnit(codeUnit: string): string {
  return `\\u${codeUnit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

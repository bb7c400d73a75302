import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { Queue } from './connection.ts';

/** Milliseconds for which a queue keeps a message, as it is set now. */
export async function readRetentionMs({ sqs, url }: Queue): Promise<number> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['MessageRetentionPeriod'] }),
  );
  return Number(Attributes.MessageRetentionPeriod) * 1_000;
}

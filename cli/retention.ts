import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { Queue } from './connection.ts';

/** Reads for how many milliseconds a queue currently retains a message. */
export async function readRetentionMs({ sqs, url }: Queue): Promise<number> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['MessageRetentionPeriod'] }),
  );
  return Number(Attributes.MessageRetentionPeriod) * 1_000;
}

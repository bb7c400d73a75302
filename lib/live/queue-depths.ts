import {
  GetQueueAttributesCommand,
  type QueueAttributeName,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/** The queue of clicks, and those of clicks that were set aside. */
export interface QueueUrls {
  clickQueue: string;
  deadLetterQueues: readonly string[];
}

const visible = 'ApproximateNumberOfMessages';
const inFlight = 'ApproximateNumberOfMessagesNotVisible';
const delayed = 'ApproximateNumberOfMessagesDelayed';

/** SQS has this long to answer, retries included; the lease lasts longer. */
const timeoutMs = 2_000;

/** Counts the messages that wait and those that are set aside. Throws if SQS does not say. */
export async function countBacklog(sqs: SQSClient, { clickQueue, deadLetterQueues }: QueueUrls) {
  const abortSignal = AbortSignal.timeout(timeoutMs);
  const count = async (QueueUrl: string, AttributeNames: QueueAttributeName[]) => {
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames });
    const { Attributes = {} } = await sqs.send(command, { abortSignal });
    return sum(AttributeNames.map((name) => toCount(name, Attributes[name])));
  };
  const [waiting, ...setAside] = await Promise.all([
    count(clickQueue, [visible, inFlight, delayed]),
    ...deadLetterQueues.map((url) => count(url, [visible, inFlight])),
  ]);
  return { waiting, setAside: sum(setAside) };
}

function toCount(name: string, text = ''): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new TypeError(`expected ${name} of the queue to be a number; got ${text || 'nothing'}`);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

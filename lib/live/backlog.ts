import {
  GetQueueAttributesCommand,
  type QueueAttributeName,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { logger } from '../telemetry/powertools.ts';
import type { BacklogAnswer } from './messages.ts';

interface QueueUrls {
  waiting: readonly string[];
  deadLetters: readonly string[];
}

// No queue delays its messages.
const attributes: QueueAttributeName[] = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
];

/** Timeout for SQS, retries included. */
const timeoutMs = 2_000;

/** Counts the messages that wait, and the dead letters. Throws if SQS doesn't return a number. */
async function countBacklog(sqs: SQSClient, queueUrls: QueueUrls) {
  const abortSignal = AbortSignal.timeout(timeoutMs);
  const readCounts = async (QueueUrl: string) => {
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: attributes });
    const { Attributes = {} } = await sqs.send(command, { abortSignal });
    return attributes.map((name) => toCount(name, Attributes[name]));
  };
  const count = async (urls: readonly string[]) => {
    const counts = await Promise.all(urls.map(readCounts));
    return counts.flat().reduce((total, one) => total + one, 0);
  };
  const [waiting, deadLetters] = await Promise.all([
    count(queueUrls.waiting),
    count(queueUrls.deadLetters),
  ]);
  return { waiting, deadLetters };
}

function toCount(name: string, text = ''): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new TypeError(`expected ${name} of the queue to be a number; got ${text || 'nothing'}`);
}

/** The queues are read at most once in this interval by each environment, even if SQS fails. */
const readEveryMs = 3_000;

/**
 * Creates a function that returns the numbers of waiting messages and dead letters, from a recent
 * read of SQS. While SQS fails, it returns the last values, or undefined if the queues were never read.
 */
export function createBacklogReader(
  sqs: SQSClient,
  queueUrls: QueueUrls,
): () => Promise<BacklogAnswer | undefined> {
  let nextReadMs = 0;
  let last: BacklogAnswer | undefined;
  let latest = Promise.resolve(last);
  const read = async () => {
    const readAt = new Date().toISOString();
    try {
      last = { ...(await countBacklog(sqs, queueUrls)), readAt };
    } catch (error) {
      logger.warn('The queues could not be read; using the last known backlog.', { error });
    }
    return last;
  };
  return () => {
    const now = Date.now();
    if (now < nextReadMs) return latest;
    nextReadMs = now + readEveryMs;
    latest = read();
    return latest;
  };
}

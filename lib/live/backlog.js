import { GetQueueAttributesCommand, } from '@aws-sdk/client-sqs';
import { logger } from '../telemetry/powertools.ts';
// No queue delays its messages.
const attributes = [
    'ApproximateNumberOfMessages',
    'ApproximateNumberOfMessagesNotVisible',
];
/** Timeout for SQS, retries included. */
const timeoutMs = 2000;
/** Counts the messages that are waiting and set aside. Throws if SQS doesn't return a number. */
async function countBacklog(sqs, queueUrls) {
    const abortSignal = AbortSignal.timeout(timeoutMs);
    const readCounts = async (QueueUrl) => {
        const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: attributes });
        const { Attributes = {} } = await sqs.send(command, { abortSignal });
        return attributes.map((name) => toCount(name, Attributes[name]));
    };
    const count = async (urls) => {
        const counts = await Promise.all(urls.map(readCounts));
        return counts.flat().reduce((total, one) => total + one, 0);
    };
    const [waiting, deadLetters] = await Promise.all([
        count(queueUrls.waiting),
        count(queueUrls.deadLetters),
    ]);
    return { waiting, deadLetters };
}
function toCount(name, text = '') {
    if (/^\d+$/.test(text))
        return Number(text);
    throw new TypeError(`expected ${name} of the queue to be a number; got ${text || 'nothing'}`);
}
/** The queues are read at most once in this interval by each environment, even if SQS fails. */
const readEveryMs = 3000;
/**
 * Creates a function that returns the numbers of waiting and set-aside messages, from a recent read
 * of SQS. While SQS fails, it returns the last values, or undefined if the queues were never read.
 */
export function createBacklogReader(sqs, queueUrls) {
    let nextReadMs = 0;
    let last;
    let latest = Promise.resolve(last);
    const read = async () => {
        const readAt = new Date().toISOString();
        try {
            last = { ...(await countBacklog(sqs, queueUrls)), readAt };
        }
        catch (error) {
            logger.warn('The queues could not be read; using the last known backlog.', { error });
        }
        return last;
    };
    return () => {
        const now = Date.now();
        if (now < nextReadMs)
            return latest;
        nextReadMs = now + readEveryMs;
        latest = read();
        return latest;
    };
}

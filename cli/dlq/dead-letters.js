import { ChangeMessageVisibilityBatchCommand, } from '@aws-sdk/client-sqs';
import pLimit from 'p-limit';
import { chunk } from '../../lib/chunk.ts';
import { chooseFirstSent, firstSentAttribute } from '../../lib/clicks/records.ts';
import { countMessages, receiveMessages, sqsBatchSize } from '../queue.ts';
import { createProgress } from '../terminal/progress.ts';
const longPollSeconds = 1;
const requestsAtOnce = 10;
// A long poll queries all servers, but the queue's own count lags by some seconds.
const maxEmptyPolls = 4;
const minHideSeconds = 60;
const maxHideSeconds = 43200;
// A conservative speed. A message that becomes visible too early is recognised and hidden again.
const walkedPerSecond = 50;
/**
 * Calls `visit` once for each dead letter, up to ten at a time, and counts them. Messages that
 * `visit` doesn't report as gone become visible again at the end, even after an error. If the
 * process is killed, they stay hidden for a minute, or longer in a queue of thousands.
 *
 * The id and receipt handle of each message that stays are kept in memory. SQS allows 120,000
 * messages in flight, so the walk ends there.
 */
export async function walkDeadLetters(queue, visit, { signal, ratePerSecond = Number.POSITIVE_INFINITY, unit }) {
    const expected = await countMessages(queue);
    const hideSeconds = Math.min(maxHideSeconds, Math.ceil(minHideSeconds + expected.visible / walkedPerSecond + sqsBatchSize / ratePerSecond));
    const handles = new Map();
    const progress = unit === undefined ? undefined : createProgress(expected.visible, unit);
    let seen = 0;
    try {
        for await (const deadLetters of receiveUnseen(queue, handles, expected.visible, hideSeconds)) {
            seen += deadLetters.length;
            progress?.add(deadLetters.length);
            await visitAll(deadLetters, visit, handles);
            if (signal.aborted)
                break;
        }
    }
    finally {
        progress?.end();
        await showAgain(queue, [...handles]);
    }
    return { seen, expected };
}
/** Yields new messages until the queue returns only those in `handles`. */
async function* receiveUnseen(queue, handles, expected, hideSeconds) {
    let seen = 0;
    let emptyPolls = 0;
    let repeats = 0;
    // Once repeats outnumber the handles, the walk has seen every message.
    while (emptyPolls < maxEmptyPolls && repeats <= handles.size) {
        const received = await receive(queue, hideSeconds);
        if (received.length === 0 && seen >= expected)
            return;
        const unseen = received.filter(({ messageId }) => !handles.has(messageId));
        for (const { messageId, receiptHandle } of received)
            handles.set(messageId, receiptHandle);
        emptyPolls = received.length === 0 ? emptyPolls + 1 : 0;
        repeats = unseen.length === 0 ? repeats + received.length : 0;
        seen += unseen.length;
        if (unseen.length > 0)
            yield unseen;
    }
}
async function receive(queue, hideSeconds) {
    try {
        const options = { VisibilityTimeout: hideSeconds, WaitTimeSeconds: longPollSeconds };
        return (await receiveMessages(queue, options)).map(toDeadLetter);
    }
    catch (error) {
        // The queue has reached SQS's limit of messages in flight.
        if (error instanceof Error && error.name === 'OverLimit')
            return [];
        throw error;
    }
}
function toDeadLetter(message) {
    const { MessageAttributes: attributes = {} } = message;
    const sentMs = Number(message.Attributes?.SentTimestamp);
    return {
        messageId: message.MessageId ?? '',
        receiptHandle: message.ReceiptHandle ?? '',
        body: message.Body ?? '',
        attributes,
        sentMs,
        firstSentMs: chooseFirstSent(attributes[firstSentAttribute]?.StringValue, sentMs),
        receives: Number(message.Attributes?.ApproximateReceiveCount) - 1,
    };
}
async function visitAll(deadLetters, visit, handles) {
    const visits = deadLetters.map(async (deadLetter) => {
        if ((await visit(deadLetter)) === 'gone')
            handles.delete(deadLetter.messageId);
    });
    // Waits for all visits, so messages don't become visible while they're being processed.
    for (const result of await Promise.allSettled(visits)) {
        if (result.status === 'rejected')
            throw result.reason;
    }
}
// Failures don't matter: a message becomes visible anyway when its visibility timeout ends.
async function showAgain({ sqs, url }, handles) {
    await pLimit(requestsAtOnce).map(chunk(handles, sqsBatchSize), async (batch) => {
        const Entries = batch.map(([, ReceiptHandle], index) => ({
            Id: `${index}`,
            ReceiptHandle,
            VisibilityTimeout: 0,
        }));
        const command = new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries });
        await sqs.send(command).catch(() => undefined);
    });
}

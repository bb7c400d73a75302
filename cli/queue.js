import { GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageBatchCommand, } from '@aws-sdk/client-sqs';
import { chunk } from '../lib/chunk.ts';
import { CommandError } from './terminal/command-error.ts';
/** SQS's limit for sending, receiving or deleting messages in one call. */
export const sqsBatchSize = 10;
export async function readAttributes({ sqs, url }) {
    const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }));
    return Attributes;
}
/** Returns a queue's approximate numbers of visible messages and hidden ones (in flight). */
export async function countMessages(queue) {
    const attributes = await readAttributes(queue);
    return {
        visible: Number(attributes.ApproximateNumberOfMessages ?? 0),
        hidden: Number(attributes.ApproximateNumberOfMessagesNotVisible ?? 0),
    };
}
export async function readRetentionMs(queue) {
    return Number((await readAttributes(queue)).MessageRetentionPeriod) * 1000;
}
/**
 * @throws {CommandError} if SQS rejects a message or doesn't confirm it. It says how many were accepted.
 * The SDK checks their MD5.
 */
export async function sendMessages({ sqs, url }, bodies) {
    let sent = 0;
    for (const some of chunk(bodies, sqsBatchSize)) {
        const Entries = some.map((MessageBody, index) => ({ Id: `${index}`, MessageBody }));
        const { Successful = [], Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
        const accepted = new Set(Successful.map(({ Id }) => Id));
        sent += accepted.size;
        if (accepted.size === some.length)
            continue;
        const [rejected] = Failed;
        const problem = rejected
            ? `rejected one: ${rejected.Message ?? rejected.Code}`
            : "didn't confirm the others";
        throw new CommandError(`SQS accepted ${sent} of ${bodies.length} messages and ${problem}`);
    }
}
/** Receives up to ten messages, with all of their attributes. */
export async function receiveMessages({ sqs, url }, options = {}) {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: sqsBatchSize,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
        ...options,
    }));
    return Messages;
}
/** Receives messages until the queue is empty. */
export async function* receiveAll(...request) {
    for (;;) {
        const messages = await receiveMessages(...request);
        if (messages.length === 0)
            return;
        yield messages;
    }
}

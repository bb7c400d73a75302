import { randomUUID } from 'node:crypto';
/** A FIFO queue ignores a message that was sent before within this time. */
const deduplicationMs = 5 * 60000;
/** An SQS queue with its dead-letter queue, in a time of its own. It delivers in the order of arrival. */
export class CellQueue {
    #service;
    #isFifo;
    #messages = new Map();
    #sentMs = new Map();
    /** Milliseconds since the cell's start. */
    nowMs = 0;
    /** Their bodies. */
    deadLetters = [];
    constructor(service, isFifo) {
        this.#service = service;
        this.#isFifo = isFifo;
    }
    get isEmpty() {
        return this.#messages.size === 0;
    }
    send(body) {
        const isRepeated = this.nowMs - (this.#sentMs.get(body) ?? -Infinity) < deduplicationMs;
        if (this.#isFifo && isRepeated)
            return;
        this.#sentMs.set(body, this.nowMs);
        const messageId = randomUUID();
        const message = { messageId, body, receiveCount: 0, visibleFromMs: this.nowMs };
        this.#messages.set(messageId, message);
    }
    /** Receives up to a batch, and hides it for the visibility timeout. */
    receive() {
        const { batchSize, maxReceiveCount, visibilityTimeoutSeconds } = this.#service;
        const received = [];
        for (const message of this.#messages.values()) {
            if (received.length >= batchSize)
                break;
            if (message.visibleFromMs > this.nowMs)
                continue;
            if (message.receiveCount >= maxReceiveCount) {
                this.delete([message]);
                this.deadLetters.push(message.body);
                continue;
            }
            message.receiveCount += 1;
            this.hide(message, visibilityTimeoutSeconds);
            received.push({ ...message });
        }
        return received;
    }
    /** Hides a message for at most the visibility timeout, as if nobody polled for longer than that. */
    hide({ messageId }, seconds) {
        const hiddenSeconds = Math.min(seconds, this.#service.visibilityTimeoutSeconds);
        const message = this.#messages.get(messageId);
        if (message)
            message.visibleFromMs = this.nowMs + hiddenSeconds * 1000;
    }
    delete(messages) {
        for (const { messageId } of messages)
            this.#messages.delete(messageId);
    }
}

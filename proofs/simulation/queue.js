import { idsOf } from './clicks/click.ts';
/** An SQS standard queue as documented: at-least-once delivery without an order. */
export class Queue {
    #parts;
    #messages = new Map();
    /** The times, in epoch milliseconds, when it will announce visible messages. */
    #announcedMs = new Set();
    #sequence = 0;
    /** Called when a message may have become visible. */
    onAvailable = () => { };
    constructor(parts) {
        this.#parts = parts;
    }
    send(body, sent, firstSentMs = this.#parts.time.nowMs) {
        const { name, time, trace } = this.#parts;
        const id = `${name}-${this.#sequence++}`;
        const message = {
            id,
            body,
            sent,
            enqueuedMs: time.nowMs,
            firstSentMs,
            receiveCount: 0,
            visibleFromMs: time.nowMs,
        };
        trace.note(() => `${name}: gets ${nameOf(message)}`);
        this.#add(message);
        return id;
    }
    /** Adds another queue's message unchanged: a dead letter keeps its age. */
    takeOver(message) {
        this.#add({ ...message, visibleFromMs: this.#parts.time.nowMs });
    }
    /** Receives up to `max` messages. Most stay invisible for the visibility timeout. */
    receive(max) {
        const { name, random, time, trace, visibilityTimeoutMs, redeliveryRate, redrive } = this.#parts;
        const received = [];
        for (const message of this.#visible()) {
            if (received.length >= max)
                break;
            if (redrive && message.receiveCount >= redrive.maxReceiveCount) {
                this.#messages.delete(message.id);
                trace.note(() => `${name}: moves ${nameOf(message)} to the dead letters`);
                redrive.onDeadLetter(message);
                continue;
            }
            message.receiveCount += 1;
            const comesAgain = random.chance(redeliveryRate());
            const invisibleMs = comesAgain ? random.integer(0, 2000) : visibilityTimeoutMs;
            message.visibleFromMs = time.nowMs + invisibleMs;
            this.#announce(invisibleMs);
            received.push({ message, receiptHandle: message.receiveCount });
        }
        return received;
    }
    /** Deletes a received message. With an outdated handle it may stay, as SQS documents. */
    delete({ message, receiptHandle }) {
        if (!this.#messages.has(message.id))
            return;
        if (receiptHandle !== message.receiveCount && this.#parts.random.chance(0.5))
            return;
        this.#messages.delete(message.id);
        this.#parts.trace.note(() => `${this.#parts.name}: deletes ${nameOf(message)}`);
        this.#parts.onDeleted?.(message);
    }
    /** Removes a message that was moved to another queue. */
    remove({ id }) {
        this.#messages.delete(id);
    }
    /** The number of messages, visible or not. */
    get size() {
        return this.#messages.size;
    }
    /** All messages that have not expired, visible or not. */
    list() {
        this.#expire();
        return [...this.#messages.values()];
    }
    #add(message) {
        this.#messages.set(message.id, message);
        this.#announce(0);
    }
    #announce(delayMs) {
        const { time } = this.#parts;
        const atMs = time.nowMs + delayMs;
        if (this.#announcedMs.has(atMs))
            return;
        this.#announcedMs.add(atMs);
        time.after(delayMs, () => {
            this.#announcedMs.delete(atMs);
            this.onAvailable();
        });
    }
    #expire() {
        const { time, retentionMs, onExpired } = this.#parts;
        const newestMs = time.nowMs - retentionMs;
        for (const message of this.#messages.values()) {
            if (message.enqueuedMs > newestMs)
                continue;
            this.#messages.delete(message.id);
            onExpired?.(message);
        }
    }
    // Starts at a random message: neither sorted nor fair.
    #visible() {
        const { random, time } = this.#parts;
        const { nowMs } = time;
        const visible = this.list().filter(({ visibleFromMs }) => visibleFromMs <= nowMs);
        const start = random.integer(0, visible.length);
        return visible.slice(start).concat(visible.slice(0, start));
    }
}
function nameOf({ id, sent }) {
    return `${id} ${idsOf(sent)[0] ?? 'poison'}`;
}

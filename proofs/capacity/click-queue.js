import TinyQueue from 'tinyqueue';
import { makeSqsEvent } from '../../fixtures/sqs-events.ts';
import { toMessage } from './click-source.ts';
import { limits } from './limits.ts';
const openBatch = (windowMs) => ({
    messages: [],
    bytes: 0,
    sinceMs: Number.POSITIVE_INFINITY,
    windowMs,
});
/** The pollers' interval. */
export const tickMs = 20;
export const longPollMs = 20000;
/**
 * A ClickQueue and its event source mapping. The queue delivers the oldest messages first, as a standard
 * queue roughly does, and failed ones again after their visibility timeout.
 *
 * On AWS, a mapping starts with five pollers, and with a maximum concurrency it never has fewer. It adds more
 * while messages wait, which is left out here. Each poller gathers a batch until it is full, reaches 6 MB or
 * its window ends. It invokes the function as soon as the maximum concurrency permits, and waits for the
 * answer. AWS doesn't document that wait for the concurrency. The first windows end at random times.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
export class ClickQueue {
    #parts;
    /** Clicks that haven't been received yet, with their times of sending. */
    #arrivals = [];
    #first = 0;
    #returned = new TinyQueue([], (a, b) => a.visibleFromMs - b.visibleFromMs);
    /** Visible again, and older than all unreceived messages. */
    #shown = new TinyQueue([], (a, b) => a.sentMs - b.sentMs);
    #gathering = new Set();
    /** Batches that wait for the maximum concurrency. */
    #due = [];
    #running = 0;
    /** Received and neither deleted nor visible again. */
    inFlight = 0;
    sent = 0;
    deadLetters = 0;
    /** Receive and delete requests. */
    requests = 0;
    constructor(parts) {
        this.#parts = parts;
        const { pollers, random, settings } = parts;
        if (settings.maximumConcurrency > pollers) {
            throw new RangeError(`expected a maximumConcurrency of at most ${pollers}; got ${settings.maximumConcurrency}. ` +
                'The model has no pollers that a mapping adds under load.');
        }
        // AWS doesn't document it, but pollers that are started together wouldn't stay in step.
        while (this.#gathering.size < pollers) {
            this.#gathering.add(openBatch(random.fraction() * settings.batchWindowMs));
        }
    }
    /** The number of receivable messages. */
    get visible() {
        return this.#arrivals.length - this.#first + this.#shown.length;
    }
    /** All undeleted messages. */
    get size() {
        return this.visible + this.inFlight;
    }
    arrive(click) {
        this.#arrivals.push({ click, sentMs: this.#parts.time.nowMs });
        this.sent += 1;
    }
    /** Shows failed messages whose visibility timeout has ended, polls, and invokes. Call this every tick. */
    tick() {
        const { pollers, settings, time } = this.#parts;
        while ((this.#returned.peek()?.visibleFromMs ?? Number.POSITIVE_INFINITY) <= time.nowMs) {
            const returned = this.#returned.pop();
            if (returned)
                this.#shown.push(returned.message);
            this.inFlight -= 1;
        }
        while (this.#gathering.size + this.#due.length + this.#running < pollers) {
            this.#gathering.add(openBatch(settings.batchWindowMs));
        }
        this.#poll();
        for (const one of [...this.#gathering]) {
            if (!this.#isDue(one))
                continue;
            this.#gathering.delete(one);
            this.#due.push(one);
        }
        for (const one of this.#due.splice(0, settings.maximumConcurrency - this.#running)) {
            this.#start(one);
        }
    }
    // All gathering pollers get an equal part, in a random order.
    #poll() {
        const { random, time } = this.#parts;
        this.requests += (this.#gathering.size * tickMs) / longPollMs;
        const order = [...this.#gathering]
            .map((one) => ({ one, place: random.fraction() }))
            .sort((a, b) => a.place - b.place);
        for (const [index, { one }] of order.entries()) {
            const room = limits.inFlight - this.inFlight;
            const share = Math.ceil(Math.min(this.visible, room) / (order.length - index));
            const received = this.#receive(Math.min(share, this.#allowanceOf(one)));
            this.requests += Math.ceil(received.length / limits.receiveMessages);
            if (received.length > 0)
                one.sinceMs = Math.min(one.sinceMs, time.nowMs);
            for (const message of received) {
                one.messages.push(message);
                one.bytes += recordBytes(message);
            }
        }
    }
    #receive(max) {
        const messages = [];
        while (messages.length < max && this.visible > 0) {
            const message = this.#shown.pop() ?? this.#makeNext();
            if (message.receiveCount >= this.#parts.settings.maxReceiveCount) {
                this.deadLetters += 1;
                continue;
            }
            message.receiveCount += 1;
            messages.push(message);
        }
        this.inFlight += messages.length;
        return messages;
    }
    // Messages are built on receive, because bodies take memory and many clicks are never received.
    #makeNext() {
        const arrival = this.#arrivals[this.#first];
        if (!arrival)
            throw new Error('expected an unreceived message; there is none');
        this.#first += 1;
        if (this.#first > 10000) {
            this.#arrivals = this.#arrivals.slice(this.#first);
            this.#first = 0;
        }
        return toMessage(arrival.click, arrival.sentMs);
    }
    // The messages that fit, up to the limit of a tick.
    #allowanceOf({ messages, bytes }) {
        const { settings } = this.#parts;
        const perTick = (limits.pollerMessages * tickMs) / 1000;
        const mean = messages.length > 0 ? bytes / messages.length : 1;
        const fitting = Math.floor((limits.batchBytes - bytes) / mean);
        return Math.min(perTick, settings.batchSize - messages.length, fitting);
    }
    #isDue(one) {
        if (one.messages.length === 0)
            return false;
        return this.#allowanceOf(one) <= 0 || this.#parts.time.nowMs - one.sinceMs >= one.windowMs;
    }
    #start(one) {
        const { invoke, settings } = this.#parts;
        this.#running += 1;
        invoke(one.messages, (failedIds) => {
            this.#running -= 1;
            const visibleFromMs = one.sinceMs + settings.visibilityTimeoutMs;
            const failed = one.messages.filter(({ messageId }) => failedIds.has(messageId));
            for (const message of failed)
                this.#returned.push({ visibleFromMs, message });
            const deleted = one.messages.length - failed.length;
            this.inFlight -= deleted;
            this.requests += Math.ceil(deleted / limits.receiveMessages);
        });
    }
}
const envelopeBytes = Buffer.byteLength(JSON.stringify(makeSqsEvent([{ messageId: 'm'.repeat(36), body: '' }])));
/** A body is a JSON string, so its quotes are escaped. AWS's receipt handles have about 200 bytes more. */
function recordBytes({ body }) {
    return envelopeBytes + 200 + JSON.stringify(body).length;
}

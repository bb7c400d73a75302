import TinyQueue from 'tinyqueue';
import { deliver } from './instance.ts';
const realSetImmediate = setImmediate;
/** Far more than any world needs. A world with more never comes to rest. */
const maxEvents = 20000000;
/** Time that passes only from event to event. */
export class VirtualTime {
    /** Epoch milliseconds. */
    nowMs;
    #sequence = 0;
    /** The number of events so far. */
    fired = 0;
    #events = new TinyQueue([], (a, b) => a.atMs - b.atMs || a.sequence - b.sequence);
    constructor(startMs) {
        this.nowMs = startMs;
    }
    /** A clock that is ahead of this one. */
    ahead(byMs) {
        const now = () => this.nowMs + byMs;
        return {
            get nowMs() {
                return now();
            },
            after: (...args) => this.after(...args),
        };
    }
    after(delayMs, action, owner) {
        const event = {
            atMs: this.nowMs + Math.max(0, Math.ceil(delayMs)),
            sequence: this.#sequence++,
            action: owner ? () => deliver(this, owner, action) : action,
        };
        this.#events.push(event);
        return () => {
            event.action = undefined;
        };
    }
    /** Runs events until the condition holds. Returns false if there are no more events. */
    async runUntil(isReached) {
        await letCodeRun();
        while (!isReached()) {
            const event = this.#events.pop();
            if (!event)
                return false;
            if (!event.action)
                continue;
            this.nowMs = event.atMs;
            this.fired += 1;
            if (this.fired > maxEvents)
                throw new Error(`expected rest within ${maxEvents} events`);
            event.action();
            await letCodeRun();
        }
        return true;
    }
    /** Runs events until this time has passed. */
    async pass(forMs) {
        let isOver = false;
        this.after(forMs, () => {
            isOver = true;
        });
        await this.runUntil(() => isOver);
    }
}
/** Lets the code under test run as far as it can. It has only promises and ticks, no real I/O. */
function letCodeRun() {
    return new Promise((resolve) => realSetImmediate(() => resolve()));
}

import { describeExcessAge } from '../../../cli/dlq/age-limit.ts';
import { makeEventBody } from '../../tools/click-body.ts';
import { clickOfDetail } from './click.ts';
/**
 * EventBridge with the rules for the ClickQueues, which are a single queue here. It delivers at least
 * once and retries for the rule's maximum event age. After that, operators resend events from the
 * rule's dead-letter queue.
 */
export class EventBus {
    #world;
    #random;
    #sequence = 0;
    /** The number of pending deliveries. */
    pending = 0;
    constructor(world) {
        this.#world = world;
        this.#random = world.random('bus');
    }
    /** The maximum delay of an event: the bus's retries plus the retention of its dead letters. */
    get #maxLateMs() {
        const { settings, isLong } = this.#world.plan;
        return isLong ? settings.busRetryMs + settings.deadLetterRetentionMs : 60000;
    }
    /** PutEvents, as the SDK sends it. */
    handle(operation, input, reply) {
        if (operation !== 'PutEvents')
            throw new Error(`expected PutEvents; got ${operation}`);
        const { Entries: entries } = input;
        const Entries = entries.map(({ Detail }) => ({
            EventId: this.put(Detail, () => this.#world.onTaken(clickOfDetail(Detail))),
        }));
        reply({ status: 200, body: JSON.stringify({ FailedEntryCount: 0, Entries }) });
    }
    /** Accepts an event with this detail and gives it an id, which may be its click id. */
    put(detail, note) {
        const id = `event-${this.#sequence++}`;
        const time = new Date(this.#world.time.nowMs).toISOString().replace(/\.\d+Z$/, 'Z');
        this.#deliver(makeEventBody(id, time, JSON.parse(detail)), note(id), 0);
        return id;
    }
    #deliver(body, sent, attempt) {
        const { faults, queue } = this.#world;
        const random = this.#random;
        const maxLateMs = this.#maxLateMs;
        const deliver = () => queue.send(body, sent);
        const again = () => {
            this.#after(random.exponential(2000 * 2 ** attempt), () => this.#deliver(body, sent, attempt + 1));
        };
        const deliverSoon = () => this.#after(random.integer(5, 500), deliver);
        faults.act('bus → queue: SendMessage', deliverSoon, {
            'never sent': again,
            refused: again,
            'answer lost': () => {
                deliver();
                again();
            },
            late: () => {
                const drawnMs = random.exponential(random.pick([1000, 60000, maxLateMs / 3]));
                const lateMs = Math.min(drawnMs, maxLateMs);
                this.#after(lateMs, () => this.#deliverLate(body, sent, lateMs));
            },
            twice: () => {
                deliver();
                deliverSoon();
            },
        });
    }
    // After the bus's retries, an event waits in its dead-letter queue until operators drain that. Events
    // that `dlq drain-rule` leaves expire there.
    #deliverLate(body, sent, lateMs) {
        const { plan, time, queue, auditor } = this.#world;
        const firstSentMs = time.nowMs - Math.max(0, lateMs - plan.settings.busRetryMs);
        const isDrained = firstSentMs < time.nowMs;
        const isLeft = isDrained && describeExcessAge({ body, firstSentMs }, plan.settings, time.nowMs);
        if (isLeft)
            auditor.onLeft(sent);
        else
            queue.send(body, sent, firstSentMs);
    }
    #after(delayMs, action) {
        this.pending += 1;
        this.#world.time.after(delayMs, () => {
            this.pending -= 1;
            action();
        });
    }
}

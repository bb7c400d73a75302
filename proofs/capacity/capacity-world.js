import { createHistogram } from 'node:perf_hooks';
import { makeSqsEvent } from '../../fixtures/sqs-events.ts';
import { linkKey } from '../../lib/keys.ts';
import { findFailedIds } from '../../local/engines/batch-response.ts';
import { serviceError } from '../simulation/aws-service.ts';
import { keyOf } from '../simulation/dynamodb/item-store.ts';
import { LambdaFunction } from '../simulation/lambda.ts';
import { environmentOf } from '../simulation/stage-settings.ts';
import { VirtualTime } from '../simulation/virtual-time.ts';
import { createRandom } from '../tools/random.ts';
import { createCpuCarrier } from './carrier.ts';
import { ClickQueue, tickMs } from './click-queue.ts';
import { codesOf, createClickSource, drawPoisson, } from './click-source.ts';
import { cpuShare } from './cpu.ts';
import { LimitedTable } from './limited-table.ts';
const seed = 1;
const startMs = Date.UTC(2026, 4, 26, 10);
/** The limit for counting a backlog. */
const maxDrainSeconds = 3 * 3600;
/** The deployed aggregator under one traffic, in virtual time, with AWS's limits. */
export class CapacityWorld {
    settings;
    traffic;
    time = new VirtualTime(startMs);
    table;
    queues;
    /** Since the end of the warm-up. */
    sums = { counted: 0, batches: 0, invocationMs: 0, logBytes: 0 };
    /** From a click to the end of the invocation that counted it, in ms, since the end of the warm-up. */
    lags = createHistogram();
    /** The highest number of messages in flight in a queue, since the end of the warm-up. */
    maxInFlight = 0;
    #aggregator;
    #carrier;
    #makeClick;
    #arrivals;
    #batches = 0;
    /** How long an invocation lasted that began and ended in the outage. */
    #failureMs;
    constructor(settings, traffic, pollers, code) {
        this.settings = settings;
        this.traffic = traffic;
        const { time } = this;
        this.table = new LimitedTable(seed, time, settings, traffic);
        const handle = (operation, input, reply) => {
            if (this.#outageLeftMs === 0)
                this.table.handle(operation, input, reply);
            else
                reply(serviceError(500, 'InternalServerError', 'DynamoDB is down'));
        };
        this.#carrier = createCpuCarrier(time, { handle }, cpuShare(settings.memoryMb));
        this.#makeClick = createClickSource(seed, traffic, settings);
        this.#arrivals = createRandom(seed, 'arrivals');
        this.queues = Array.from({ length: settings.clickQueues }, (_, index) => new ClickQueue({
            settings,
            pollers,
            time,
            random: createRandom(seed, `pollers ${index}`),
            invoke: (batch, end) => this.#invoke(batch, end),
        }));
        this.#aggregator = new LambdaFunction({
            role: 'aggregator',
            seed,
            time,
            statistics: this.table.statistics,
            faults: { mayCrash: ({ dead }) => dead },
            trace: { note: () => { } },
            code,
            send: this.#carrier.send,
            clockOf: this.#carrier.clockOf,
            environment: {
                ...environmentOf('aggregator', settings),
                POWERTOOLS_LOG_LEVEL: settings.logLevel,
            },
            timeoutMs: settings.functionTimeoutMs,
            spareStartRate: 0,
            onLog: (_, line) => {
                if (this.#isMeasured)
                    this.sums.logBytes += Buffer.byteLength(line) + 1;
            },
        });
    }
    get seconds() {
        return (this.time.nowMs - startMs) / 1000;
    }
    /** A number of all queues together. */
    sum(read) {
        return this.queues.reduce((sum, queue) => sum + read(queue), 0);
    }
    get #isMeasured() {
        return this.seconds >= this.traffic.measureFromSeconds;
    }
    get #outageLeftMs() {
        const { fromSeconds, untilSeconds } = this.traffic.outage ?? noOutage;
        return this.seconds < fromSeconds ? 0 : Math.max(0, (untilSeconds - this.seconds) * 1000);
    }
    /** Runs until the traffic ends or, if it says so, until the queue is empty. Tells when the warm-up is over. */
    async run(onWarm) {
        const { measureFromSeconds, untilSeconds, untilEmpty } = this.traffic;
        this.#createLinks();
        const endSeconds = untilSeconds + (untilEmpty ? maxDrainSeconds : 0);
        const isOver = () => this.seconds >= endSeconds ||
            (untilEmpty === true && this.seconds >= untilSeconds && this.sum(({ size }) => size) === 0);
        const tick = () => {
            this.#tick();
            if (measureFromSeconds > 0 && this.seconds === measureFromSeconds)
                onWarm();
            if (!isOver())
                this.time.after(tickMs, tick);
        };
        tick();
        await this.time.runUntil(isOver);
    }
    #createLinks() {
        for (const code of codesOf(this.traffic.law)) {
            const { PK, SK } = linkKey(code);
            const item = { PK: { S: PK }, SK: { S: SK }, url: { S: 'https://example.com' } };
            const stored = { ...item, clicks: { N: '0' } };
            this.table.items.commit(new Map([[keyOf(item), stored]]), () => { });
        }
    }
    #tick() {
        const { untilSeconds, clicksPerSecond } = this.traffic;
        const mean = this.seconds < untilSeconds ? (clicksPerSecond * tickMs) / 1000 : 0;
        for (let left = drawPoisson(mean, this.#arrivals); left > 0; left -= 1) {
            const click = this.#makeClick();
            this.queues[click.queue]?.arrive(click);
        }
        for (const queue of this.queues)
            queue.tick();
        const inFlight = this.queues.map((queue) => queue.inFlight);
        if (this.#isMeasured)
            this.maxInFlight = Math.max(this.maxInFlight, ...inFlight);
    }
    #invoke(messages, end) {
        const beginMs = this.time.nowMs;
        const outageLeftMs = this.#outageLeftMs;
        const onEnd = (outcome) => {
            const ids = messages.map(({ messageId }) => messageId);
            const failed = 'error' in outcome ? new Set(ids) : findFailedIds(JSON.stringify(outcome.answer), ids);
            if (outageLeftMs > 0 && this.#outageLeftMs > 0)
                this.#failureMs = this.time.nowMs - beginMs;
            this.#measure(beginMs, messages.filter(({ messageId }) => !failed.has(messageId)));
            end(failed);
        };
        // A batch that can't reach the table until its end fails like the last such batch. Running thousands of
        // them would take hours.
        if (this.#failureMs !== undefined && this.#failureMs < outageLeftMs) {
            this.time.after(this.#failureMs, () => onEnd({ error: 'DynamoDB is down' }));
            return;
        }
        this.#batches += 1;
        const name = this.#aggregator.invoke(`batch-${this.#batches}`, makeSqsEvent(messages), onEnd);
        this.#carrier.begin(name, messages.length);
    }
    #measure(beginMs, counted) {
        if (!this.#isMeasured)
            return;
        const { nowMs } = this.time;
        this.sums.batches += 1;
        this.sums.invocationMs += nowMs - beginMs;
        this.sums.counted += counted.length;
        for (const { sentMs } of counted)
            this.lags.record(Math.max(1, Math.ceil(nowMs - sentMs)));
    }
}
const noOutage = { fromSeconds: 0, untilSeconds: 0 };

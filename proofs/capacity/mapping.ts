import type { Random } from '../../fixtures/random.ts';
import type { Scheduler } from '../simulation/instance.ts';
import type { ArrivalQueue } from './arrival-queue.ts';
import type { ClickMessage } from './click-source.ts';
import { limits } from './limits.ts';

export interface MappingSettings {
  batchSize: number;
  batchWindowMs: number;
  maximumConcurrency: number;
}

export interface MappingParts {
  settings: MappingSettings;
  queue: ArrivalQueue;
  time: Scheduler;
  random: Random;
  /** A message's size as a record of the event. */
  recordBytes: (message: ClickMessage) => number;
  invoke: (batch: ClickMessage[], receivedMs: number, done: () => void) => void;
}

interface Gathering {
  messages: ClickMessage[];
  bytes: number;
  /** When the first message was received. */
  sinceMs: number;
  windowMs: number;
}

const openBatch = (windowMs: number): Gathering => ({
  ...{ messages: [], bytes: 0, sinceMs: Number.POSITIVE_INFINITY },
  windowMs,
});

/** The mapping's polling interval. */
export const tickMs = 20;
export const longPollMs = 20_000;

/**
 * An SQS standard queue's event source mapping in standard mode. On AWS, it starts with five pollers and
 * adds more while messages wait. Here, their number is the maximum concurrency, which must be five at
 * most. Each poller gathers a batch until it is full, reaches 6 MB or its window ends, invokes the
 * function, and waits for the answer. The first windows end at random times.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
export class Mapping {
  readonly #parts: MappingParts;
  readonly #gathering = new Set<Gathering>();
  #running = 0;
  /** Receive and delete requests. */
  queueRequests = 0;

  constructor(parts: MappingParts) {
    this.#parts = parts;
    const { maximumConcurrency } = parts.settings;
    if (maximumConcurrency > limits.startPollers) {
      throw new RangeError(
        `expected a maximumConcurrency of at most ${limits.startPollers}; got ${maximumConcurrency}. ` +
          'The model has no pollers that a mapping adds under load.',
      );
    }
    // AWS doesn't document it, but pollers that are started together wouldn't stay in step.
    while (this.#gathering.size < maximumConcurrency) {
      this.#gathering.add(openBatch(parts.random.fraction() * parts.settings.batchWindowMs));
    }
  }

  /** Polls the queue. Call this every tick. */
  tick(): void {
    this.#open();
    this.#receive();
    for (const one of [...this.#gathering]) if (this.#isDue(one)) this.#close(one);
  }

  #open(): void {
    const { maximumConcurrency, batchWindowMs } = this.#parts.settings;
    while (this.#gathering.size + this.#running < maximumConcurrency) {
      this.#gathering.add(openBatch(batchWindowMs));
    }
  }

  // All gathering pollers get an equal part, in a random order.
  #receive(): void {
    const { queue, random, time } = this.#parts;
    this.queueRequests += (this.#gathering.size * tickMs) / longPollMs;
    const order = [...this.#gathering]
      .map((one) => ({ one, place: random.fraction() }))
      .sort((a, b) => a.place - b.place);
    for (const [index, { one }] of order.entries()) {
      const room = limits.inFlight - queue.inFlight;
      const share = Math.ceil(Math.min(queue.visible, room) / (order.length - index));
      const wanted = Math.min(share, this.#allowanceOf(one));
      if (wanted <= 0) continue;
      const received = queue.receive(wanted);
      this.queueRequests += Math.ceil(received.length / limits.receiveMessages);
      if (received.length > 0) one.sinceMs = Math.min(one.sinceMs, time.nowMs);
      for (const message of received) {
        one.messages.push(message);
        one.bytes += this.#parts.recordBytes(message);
      }
    }
  }

  // The messages that fit, up to the limit of a tick.
  #allowanceOf({ messages, bytes }: Gathering): number {
    const { settings } = this.#parts;
    const perTick = (limits.pollerMessages * tickMs) / 1_000;
    const mean = messages.length > 0 ? bytes / messages.length : 1;
    const fitting = Math.floor((limits.batchBytes - bytes) / mean);
    return Math.min(perTick, settings.batchSize - messages.length, fitting);
  }

  #isDue(one: Gathering): boolean {
    if (one.messages.length === 0) return false;
    return this.#allowanceOf(one) <= 0 || this.#parts.time.nowMs - one.sinceMs >= one.windowMs;
  }

  #close(one: Gathering): void {
    const { invoke } = this.#parts;
    this.#gathering.delete(one);
    this.#running += 1;
    invoke(one.messages, one.sinceMs, () => {
      this.#running -= 1;
    });
  }

  /** Counts the requests that delete processed messages. */
  noteDeleted(count: number): void {
    this.queueRequests += Math.ceil(count / limits.receiveMessages);
  }
}

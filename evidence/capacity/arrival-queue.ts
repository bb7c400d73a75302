import TinyQueue from 'tinyqueue';
import type { ClickMessage } from './click-source.ts';

interface Returned {
  visibleFromMs: number;
  message: ClickMessage;
}

export interface ArrivalQueueParts {
  now: () => number;
  /** Makes the message of a click of that time; only once it is received, because many never are. */
  makeMessage: (sentMs: number) => ClickMessage;
  visibilityTimeoutMs: number;
  maxReceiveCount: number;
}

/**
 * An SQS standard queue by its numbers: it hands out the oldest messages first, which SQS does more
 * or less, and those that failed again after their visibility timeout.
 */
export class ArrivalQueue {
  readonly #parts: ArrivalQueueParts;
  /** Clicks that nobody has received yet: when they were sent, and how many at that time. */
  #arrivals: { sentMs: number; count: number }[] = [];
  #first = 0;
  #waiting = 0;
  readonly #returned = new TinyQueue<Returned>([], (a, b) => a.visibleFromMs - b.visibleFromMs);
  /** Visible again. They are older than those that nobody has received. */
  readonly #shown = new TinyQueue<ClickMessage>([], (a, b) => a.sentMs - b.sentMs);
  /** Received and neither deleted nor visible again. */
  inFlight = 0;
  sent = 0;
  deleted = 0;
  deadLetters = 0;

  constructor(parts: ArrivalQueueParts) {
    this.#parts = parts;
  }

  /** All messages that are not deleted, visible or not. */
  get size(): number {
    return this.#waiting + this.inFlight;
  }

  /** How many could be received now. */
  get visible(): number {
    this.#show();
    return this.#waiting;
  }

  /** How many nobody works on: they are visible, or failed and will be. */
  get waiting(): number {
    return this.visible + this.#returned.length;
  }

  /** So many clicks arrive now. */
  arrive(count: number): void {
    if (count === 0) return;
    this.#arrivals.push({ sentMs: this.#parts.now(), count });
    this.#waiting += count;
    this.sent += count;
  }

  receive(max: number): ClickMessage[] {
    this.#show();
    const messages: ClickMessage[] = [];
    while (messages.length < max && this.#waiting > 0) {
      const message = this.#shown.pop() ?? this.#makeNext();
      this.#waiting -= 1;
      if (message.receiveCount >= this.#parts.maxReceiveCount) {
        this.deadLetters += 1;
        continue;
      }
      message.receiveCount += 1;
      messages.push(message);
    }
    this.inFlight += messages.length;
    return messages;
  }

  delete(count: number): void {
    this.inFlight -= count;
    this.deleted += count;
  }

  /** These failed, and come again when their visibility timeout, which began at that time, ends. */
  giveBack(messages: readonly ClickMessage[], receivedMs: number): void {
    const visibleFromMs = receivedMs + this.#parts.visibilityTimeoutMs;
    for (const message of messages) this.#returned.push({ visibleFromMs, message });
  }

  #show(): void {
    const nowMs = this.#parts.now();
    while ((this.#returned.peek()?.visibleFromMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
      const returned = this.#returned.pop();
      if (!returned) return;
      this.#shown.push(returned.message);
      this.#waiting += 1;
      this.inFlight -= 1;
    }
  }

  #makeNext(): ClickMessage {
    const arrival = this.#arrivals[this.#first];
    if (!arrival) throw new Error('expected a message that nobody has received; there is none');
    arrival.count -= 1;
    if (arrival.count === 0) {
      this.#first += 1;
      if (this.#first > 10_000) {
        this.#arrivals = this.#arrivals.slice(this.#first);
        this.#first = 0;
      }
    }
    return this.#parts.makeMessage(arrival.sentMs);
  }
}

import TinyQueue from 'tinyqueue';
import { type ClickMessage, type SentClick, toMessage } from './click-source.ts';

interface Returned {
  visibleFromMs: number;
  message: ClickMessage;
}

interface ArrivalQueueParts {
  now: () => number;
  visibilityTimeoutMs: number;
  maxReceiveCount: number;
}

/**
 * A model of an SQS standard queue. It delivers the oldest messages first, as SQS roughly does, and
 * failed ones again after their visibility timeout.
 */
export class ArrivalQueue {
  readonly #parts: ArrivalQueueParts;
  /** Clicks that haven't been received yet, with their times of sending. */
  #arrivals: { click: SentClick; sentMs: number }[] = [];
  #first = 0;
  #waiting = 0;
  readonly #returned = new TinyQueue<Returned>([], (a, b) => a.visibleFromMs - b.visibleFromMs);
  /** Visible again, and older than all unreceived messages. */
  readonly #shown = new TinyQueue<ClickMessage>([], (a, b) => a.sentMs - b.sentMs);
  /** Received and neither deleted nor visible again. */
  inFlight = 0;
  sent = 0;
  deleted = 0;
  deadLetters = 0;

  constructor(parts: ArrivalQueueParts) {
    this.#parts = parts;
  }

  /** All undeleted messages. */
  get size(): number {
    return this.#waiting + this.inFlight;
  }

  /** The number of receivable messages. */
  get visible(): number {
    this.#show();
    return this.#waiting;
  }

  arrive(click: SentClick): void {
    this.#arrivals.push({ click, sentMs: this.#parts.now() });
    this.#waiting += 1;
    this.sent += 1;
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

  /** Makes failed messages visible again once their visibility timeout, since `receivedMs`, ends. */
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

  // Messages are built on receive, because bodies take memory and many clicks are never received.
  #makeNext(): ClickMessage {
    const arrival = this.#arrivals[this.#first];
    if (!arrival) throw new Error('expected an unreceived message; there is none');
    this.#first += 1;
    if (this.#first > 10_000) {
      this.#arrivals = this.#arrivals.slice(this.#first);
      this.#first = 0;
    }
    return toMessage(arrival.click, arrival.sentMs);
  }
}

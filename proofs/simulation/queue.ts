import type { Random } from '../tools/random.ts';
import { idsOf, type Sent } from './clicks/click.ts';
import type { Scheduler, Trace } from './instance.ts';

/** A message. A redrive creates a new one. */
export interface Message {
  id: string;
  body: string;
  sent: Sent;
  enqueuedMs: number;
  /** The attribute in which an operator's command keeps the first arrival. */
  firstSentMs: number;
  receiveCount: number;
  visibleFromMs: number;
}

/** A message that a consumer has received. */
export interface Received {
  message: Message;
  /** The receive count at that time. A later receive makes the handle outdated. */
  receiptHandle: number;
}

interface QueueParts {
  name: string;
  random: Random;
  trace: Trace;
  time: Scheduler;
  retentionMs: number;
  visibilityTimeoutMs: number;
  /** Where a message goes after its last receive. Absent for a dead-letter queue. */
  redrive?: { maxReceiveCount: number; onDeadLetter: (message: Message) => void };
  /** The share of received messages that become visible again early. */
  redeliveryRate: () => number;
  onDeleted?: (message: Message) => void;
  onExpired?: (message: Message) => void;
}

/** An SQS standard queue as documented: at-least-once delivery without an order. */
export class Queue {
  readonly #parts: QueueParts;
  readonly #messages = new Map<string, Message>();
  /** The times, in epoch milliseconds, when it will announce visible messages. */
  readonly #announcedMs = new Set<number>();
  #sequence = 0;
  /** Called when a message may have become visible. */
  onAvailable: () => void = () => {};

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  send(body: string, sent: Sent, firstSentMs: number = this.#parts.time.nowMs): string {
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
  takeOver(message: Message): void {
    this.#add({ ...message, visibleFromMs: this.#parts.time.nowMs });
  }

  /** Receives up to `max` messages. Most stay invisible for the visibility timeout. */
  receive(max: number): Received[] {
    const { name, random, time, trace, visibilityTimeoutMs, redeliveryRate, redrive } = this.#parts;
    const received: Received[] = [];
    for (const message of this.#visible()) {
      if (received.length >= max) break;
      if (redrive && message.receiveCount >= redrive.maxReceiveCount) {
        this.#messages.delete(message.id);
        trace.note(() => `${name}: moves ${nameOf(message)} to the dead letters`);
        redrive.onDeadLetter(message);
        continue;
      }
      message.receiveCount += 1;
      const comesAgain = random.chance(redeliveryRate());
      const invisibleMs = comesAgain ? random.integer(0, 2_000) : visibilityTimeoutMs;
      message.visibleFromMs = time.nowMs + invisibleMs;
      this.#announce(invisibleMs);
      received.push({ message, receiptHandle: message.receiveCount });
    }
    return received;
  }

  /** Deletes a received message. With an outdated handle it may stay, as SQS documents. */
  delete({ message, receiptHandle }: Received): void {
    if (!this.#messages.has(message.id)) return;
    if (receiptHandle !== message.receiveCount && this.#parts.random.chance(0.5)) return;
    this.#messages.delete(message.id);
    this.#parts.trace.note(() => `${this.#parts.name}: deletes ${nameOf(message)}`);
    this.#parts.onDeleted?.(message);
  }

  /** Removes a message that was moved to another queue. */
  remove({ id }: Message): void {
    this.#messages.delete(id);
  }

  /** The number of messages, visible or not. */
  get size(): number {
    return this.#messages.size;
  }

  /** All messages that have not expired, visible or not. */
  list(): Message[] {
    this.#expire();
    return [...this.#messages.values()];
  }

  #add(message: Message): void {
    this.#messages.set(message.id, message);
    this.#announce(0);
  }

  #announce(delayMs: number): void {
    const { time } = this.#parts;
    const atMs = time.nowMs + delayMs;
    if (this.#announcedMs.has(atMs)) return;
    this.#announcedMs.add(atMs);
    time.after(delayMs, () => {
      this.#announcedMs.delete(atMs);
      this.onAvailable();
    });
  }

  #expire(): void {
    const { time, retentionMs, onExpired } = this.#parts;
    const newestMs = time.nowMs - retentionMs;
    for (const message of this.#messages.values()) {
      if (message.enqueuedMs > newestMs) continue;
      this.#messages.delete(message.id);
      onExpired?.(message);
    }
  }

  // Starts at a random message: neither sorted nor fair.
  #visible(): Message[] {
    const { random, time } = this.#parts;
    const { nowMs } = time;
    const visible = this.list().filter(({ visibleFromMs }) => visibleFromMs <= nowMs);
    const start = random.integer(0, visible.length);
    return visible.slice(start).concat(visible.slice(0, start));
  }
}

function nameOf({ id, sent }: Message): string {
  return `${id} ${idsOf(sent)[0] ?? 'invalid'}`;
}

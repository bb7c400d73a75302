import { createHash } from 'node:crypto';
import type { Random } from '../kit/random.ts';
import type { Sent } from './auditor.ts';
import type { Process } from './process.ts';
import type { Answer, Service } from './service.ts';
import type { Trace } from './trace.ts';

/** One message; a redrive makes a new one of it. */
export interface Message {
  id: string;
  body: string;
  sent: Sent;
  enqueuedMs: number;
  receiveCount: number;
  visibleFromMs: number;
}

/** A message in a consumer's hands. */
export interface Received {
  message: Message;
  /** The receive count at that time; a later receive makes the handle old. */
  receiptHandle: number;
}

export interface QueueParts {
  name: string;
  random: Random;
  trace: Trace;
  now: () => number;
  after: (delayMs: number, action: () => void) => void;
  retentionMs: number;
  visibilityTimeoutMs: number;
  /** Where a message goes that was received too often; a dead-letter queue has none. */
  redrive?: { maxReceiveCount: number; onDeadLetter: (message: Message) => void };
  /** How often a message comes again although it was just received. */
  redeliveryRate: () => number;
  onEnqueued?: (message: Message) => void;
  onDeleted?: (message: Message) => void;
  onExpired: (message: Message) => void;
  /** Makes what is sent over HTTP into what the auditor knows. */
  identify?: (body: string, caller: Process) => Sent;
}

/** SQS as its documentation describes a standard queue: at least once, in no order. */
export class Queue implements Service {
  readonly #parts: QueueParts;
  readonly #messages = new Map<string, Message>();
  #sequence = 0;
  /** Called when a message may be there to be received. */
  onAvailable: () => void = () => {};

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  /** SendMessage, as the SDK sends it. */
  handle(operation: string, input: unknown, reply: (answer: Answer) => void, caller: Process) {
    if (operation !== 'SendMessage') throw new Error(`expected SendMessage; got ${operation}`);
    const { MessageBody } = input as { MessageBody: string };
    const sent = this.#parts.identify?.(MessageBody, caller);
    if (!sent) throw new Error(`expected no SendMessage to ${this.#parts.name}`);
    const MessageId = this.send(MessageBody, sent);
    const MD5OfMessageBody = createHash('md5').update(MessageBody).digest('hex');
    reply({ status: 200, body: JSON.stringify({ MessageId, MD5OfMessageBody }) });
  }

  send(body: string, sent: Sent): string {
    const { name, now, trace, onEnqueued } = this.#parts;
    const id = `${name}-${this.#sequence++}`;
    const message = { id, body, sent, enqueuedMs: now(), receiveCount: 0, visibleFromMs: now() };
    trace.note(() => `${name} ${id} arrives: ${sent.click?.id ?? 'no click'}`);
    onEnqueued?.(message);
    this.#add(message);
    return id;
  }

  /** Takes over a message as it is: a dead letter keeps its age. */
  takeOver(message: Message): void {
    this.#add({ ...message, visibleFromMs: this.#parts.now() });
  }

  /** Up to `max` messages, which are invisible for the visibility timeout, mostly. */
  receive(max: number): Received[] {
    const { random, now, visibilityTimeoutMs, redeliveryRate, redrive } = this.#parts;
    const received: Received[] = [];
    for (const message of this.#visible()) {
      if (received.length >= max) break;
      if (redrive && message.receiveCount >= redrive.maxReceiveCount) {
        this.#messages.delete(message.id);
        redrive.onDeadLetter(message);
        continue;
      }
      message.receiveCount += 1;
      const comesAgain = random.chance(redeliveryRate());
      const invisibleMs = comesAgain ? random.integer(0, 2_000) : visibilityTimeoutMs;
      message.visibleFromMs = now() + invisibleMs;
      this.#announce(invisibleMs);
      received.push({ message, receiptHandle: message.receiveCount });
    }
    return received;
  }

  /** Deletes a received message; with an old handle it may stay, as SQS warns. */
  delete({ message, receiptHandle }: Received): void {
    if (!this.#messages.has(message.id)) return;
    if (receiptHandle !== message.receiveCount && this.#parts.random.chance(0.5)) return;
    this.#messages.delete(message.id);
    this.#parts.onDeleted?.(message);
  }

  /** Takes a message out, to send it elsewhere. */
  remove({ id }: Message): void {
    this.#messages.delete(id);
  }

  /** How many messages there are, visible or not. */
  get size(): number {
    return this.#messages.size;
  }

  /** All messages that are not too old, visible or not. */
  list(): Message[] {
    this.#expire();
    return [...this.#messages.values()];
  }

  #add(message: Message): void {
    this.#messages.set(message.id, message);
    this.#announce(0);
  }

  #announce(delayMs: number): void {
    this.#parts.after(delayMs, () => this.onAvailable());
  }

  #expire(): void {
    const { now, retentionMs, onExpired } = this.#parts;
    for (const message of this.#messages.values()) {
      if (message.enqueuedMs + retentionMs > now()) continue;
      this.#messages.delete(message.id);
      onExpired(message);
    }
  }

  // From a random place on, and round: neither sorted nor fair.
  #visible(): Message[] {
    const { random, now } = this.#parts;
    const visible = this.list().filter(({ visibleFromMs }) => visibleFromMs <= now());
    const start = random.integer(0, visible.length);
    return [...visible.slice(start), ...visible.slice(0, start)];
  }
}

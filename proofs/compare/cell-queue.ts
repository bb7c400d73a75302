import { randomUUID } from 'node:crypto';
import type { PackagedService } from '../../fixtures/packaged-service.ts';

/** A message in the queue or in flight. */
export interface QueuedMessage {
  messageId: string;
  body: string;
  receiveCount: number;
  visibleFromMs: number;
}

/** A FIFO queue ignores a message that was sent before within this time. */
const deduplicationMs = 5 * 60_000;

/** An SQS queue with its dead-letter queue, in a time of its own. It delivers in the order of arrival. */
export class CellQueue {
  readonly #service: PackagedService;
  readonly #isFifo: boolean;
  readonly #messages = new Map<string, QueuedMessage>();
  readonly #sentMs = new Map<string, number>();
  /** Milliseconds since the cell's start. */
  nowMs = 0;
  /** Their bodies. */
  readonly deadLetters: string[] = [];

  constructor(service: PackagedService, isFifo: boolean) {
    this.#service = service;
    this.#isFifo = isFifo;
  }

  get isEmpty(): boolean {
    return this.#messages.size === 0;
  }

  send(body: string): void {
    const isRepeated = this.nowMs - (this.#sentMs.get(body) ?? -Infinity) < deduplicationMs;
    if (this.#isFifo && isRepeated) return;
    this.#sentMs.set(body, this.nowMs);
    const messageId = randomUUID();
    const message = { messageId, body, receiveCount: 0, visibleFromMs: this.nowMs };
    this.#messages.set(messageId, message);
  }

  /** Receives up to a batch, and hides it for the visibility timeout. */
  receive(): QueuedMessage[] {
    const { batchSize, maxReceiveCount, visibilityTimeoutSeconds } = this.#service;
    const received: QueuedMessage[] = [];
    for (const message of this.#messages.values()) {
      if (received.length >= batchSize) break;
      if (message.visibleFromMs > this.nowMs) continue;
      if (message.receiveCount >= maxReceiveCount) {
        this.delete([message]);
        this.deadLetters.push(message.body);
        continue;
      }
      message.receiveCount += 1;
      this.hide(message, visibilityTimeoutSeconds);
      received.push({ ...message });
    }
    return received;
  }

  /** Hides a message for at most the visibility timeout, as if nobody polled for longer than that. */
  hide({ messageId }: QueuedMessage, seconds: number): void {
    const hiddenSeconds = Math.min(seconds, this.#service.visibilityTimeoutSeconds);
    const message = this.#messages.get(messageId);
    if (message) message.visibleFromMs = this.nowMs + hiddenSeconds * 1_000;
  }

  delete(messages: readonly QueuedMessage[]): void {
    for (const { messageId } of messages) this.#messages.delete(messageId);
  }
}

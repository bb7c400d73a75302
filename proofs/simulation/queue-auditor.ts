import type { Change } from './dynamodb/item-store.ts';
import type { Message, Received } from './queue.ts';
import { idsOf, type Sent } from './sent.ts';

export interface Violation {
  kind: string;
  text: string;
  /** The ids concerned, to find its history in a trace. */
  about: string[];
}

export type Report = (kind: string, text: string, about: string[]) => void;

const maxViolations = 20;

/**
 * Checks every message that leaves a queue. An auditor knows only what was sent and what is stored, and
 * nothing of how the service works.
 */
export abstract class QueueAuditor {
  readonly violations: Violation[] = [];
  readonly #bodies = new Map<string, string>();

  /** Items were stored at one instant. */
  abstract onCommit(changes: Change[]): void;

  /** Items were stored that are not the service's. */
  abstract onStoredByHand(changes: Change[]): void;

  /** The function behind the queue got a batch. */
  abstract onInvoked(instance: string, batch: Received[]): void;

  /** Whether a message's effect is stored already. */
  abstract isDone(sent: Sent): boolean;

  /** Whether a message can currently be processed, or already is. */
  abstract isGood(sent: Sent): boolean;

  /** Whether operators may leave a dead letter. */
  abstract mayStay(sent: Sent): boolean;

  /** Checks everything that was sent, once the world is at rest. */
  protected abstract checkSent(dead: Message[]): void;

  /** A message entered the queue for the first time. */
  onEnqueued({ id, body }: Message): void {
    this.#bodies.set(id, body);
  }

  /** A message was deleted from the queue as processed. */
  onDeleted({ id, sent }: Message): void {
    this.#bodies.delete(id);
    if (idsOf(sent).length === 0) {
      this.report('poison taken for done', 'an invalid message was deleted', [id]);
    } else if (!this.isDone(sent)) {
      this.report('lost', 'a message was deleted, but it was not processed', idsOf(sent));
    }
  }

  /** A message was moved to the dead-letter queue. */
  onDeadLetter({ id, body }: Message): void {
    if (this.#bodies.get(id) !== body) this.report('changed', 'a dead letter was changed', [id]);
  }

  /** A message expired. A dead letter does after two weeks. */
  onExpired({ id, sent }: Message, isDeadLetter: boolean): void {
    if (isDeadLetter && (this.isDone(sent) || this.mayStay(sent))) return;
    const where = isDeadLetter ? 'the dead-letter queue' : 'the queue';
    this.report('expired', `a message expired in ${where}, unprocessed`, [...idsOf(sent), id]);
  }

  /** An instance did not start, so the world would not test it. */
  onStartFailure(instance: string, error: string): void {
    this.report('broken', `${instance} did not start: ${error}`, [instance]);
  }

  /** An invocation that started in the fault-free phase failed. */
  onFaultFreeFailure(sent: Sent): void {
    if (!this.isGood(sent)) return;
    this.report('needless failure', 'a good message failed without any fault', idsOf(sent));
  }

  /** Operators have redriven everything that can be processed, so these dead letters can't be. */
  checkDeadLetters(letters: Message[]): void {
    for (const { sent } of letters) {
      if (this.mayStay(sent)) continue;
      this.report('unsettled', 'a good message stays a dead letter', idsOf(sent));
    }
  }

  /** The last audit, once the world is at rest. */
  checkEnd(waiting: Message[], dead: Message[]): void {
    for (const { id } of waiting) this.report('unsettled', 'a message never left the queue', [id]);
    this.checkSent(dead);
  }

  report(...[kind, text, about]: Parameters<Report>): void {
    if (this.violations.length < maxViolations) this.violations.push({ kind, text, about });
  }
}

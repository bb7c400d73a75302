import type { Violation } from './auditor.ts';
import type { Change } from './dynamodb/item-store.ts';
import type { Message } from './queue.ts';

/** What every service's auditor is told of: commits, and messages that leave a queue. */
export interface QueueAuditor {
  readonly violations: Violation[];
  onCommit(changes: Change[]): void;
  onStoredByHand(changes: Change[]): void;
  onEnqueued(message: Message): void;
  onDeleted(message: Message): void;
  onDeadLetter(message: Message): void;
  onExpired(message: Message, isDeadLetter: boolean): void;
  onStartFailure(instance: string, error: string): void;
}

import type { Entry, Outcome } from './entry.ts';
import { Failures } from './failures.ts';

/** An entry gets its outcome this long after its deadline, if its transaction is still tried for others. */
export const graceMs = 100;
const maxTimerMs = 2 ** 31 - 1;
/** At least this share of the time that an entry has left is for its commit. */
const minCommitShare = 1 / 2;

/** An entry that waits for its outcome. */
export class PendingEntry {
  /** As it's sent next. It's replaced when DynamoDB shows more about its marker. */
  entry: Entry;
  /** When its last attempt must end, in epoch milliseconds. */
  deadlineMs: number;
  readonly failures = new Failures();
  /** Another payload of its key, which is tried in its place. */
  triedAs: PendingEntry | undefined;
  readonly outcome: Promise<Outcome>;
  isResolved = false;
  #setOutcome: (outcome: Outcome) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(entry: Entry) {
    this.entry = entry;
    this.deadlineMs = entry.deadlineMs;
    this.outcome = new Promise((resolve) => {
      this.#setOutcome = resolve;
    });
  }

  /** Starts the time that it has. The last part, in milliseconds, is for reporting failures. */
  start(nowMs: number, reportMs: number): void {
    const remainingMs = Math.max(0, this.entry.deadlineMs - nowMs);
    const commitMs = Math.max(remainingMs - reportMs, remainingMs * minCommitShare);
    if (commitMs === 0) {
      this.#resolveLate();
      return;
    }
    this.deadlineMs = nowMs + commitMs;
    const waitMs = Math.min(commitMs + graceMs, maxTimerMs);
    this.#timer = setTimeout(() => this.#resolveLate(), waitMs);
  }

  /** The first outcome stands. */
  resolve(outcome: Outcome): void {
    clearTimeout(this.#timer);
    this.isResolved = true;
    this.#setOutcome(outcome);
  }

  #resolveLate(): void {
    const { failures } = this.triedAs ?? this;
    this.resolve(failures.toLateError());
  }
}
